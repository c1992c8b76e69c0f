"""The audit log of this site: which request is noted as what, and the administrators' page of it."""
