"""The console's own database: cases, runs, their events and answers, and copies of ledger rows to show."""
