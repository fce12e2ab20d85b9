"""Starts every process of the product on one machine, watches them and stops them."""
