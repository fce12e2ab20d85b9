"""Reads public pages, never learns the memo: turns page text into claims."""
