"""The commands of `doublethink`, one module each."""
