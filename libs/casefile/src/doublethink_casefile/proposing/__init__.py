"""How likely secrets and likely public terms are found in a memo; every value is cut out of the memo as it stands."""
