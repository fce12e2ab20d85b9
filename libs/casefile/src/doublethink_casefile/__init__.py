"""The case file: memo, confirmed secrets, public terms."""
