"""The languages of the interface: which one somebody reads SVQ in."""
