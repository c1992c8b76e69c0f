"""The people of this site, for administrators: who there is, and what can be done with their accounts."""
