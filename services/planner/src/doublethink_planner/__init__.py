"""Knows the memo, never reads a web page: decides what to search and what to compute."""
