"""Passes the planner's requests to one local model server, and nothing else to anywhere."""
