"""The doublethink command line, its launcher and its Python client."""
