"""Keyed fingerprints of confirmed secrets: built where the memo is, looked up where requests leave."""
