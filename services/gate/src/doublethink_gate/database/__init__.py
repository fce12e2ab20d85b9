"""The gate's database: its schema as numbered SQL files, and the migrator that applies them."""
