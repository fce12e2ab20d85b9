-- Runs wait in a queue of the library's (see doublethink_console.store.migrate), in an order that is fair between teams:
-- turn is a run's start tag, one more for each of a team's runs that wait, beginning with the turn that is on now.
ALTER TABLE console.run ADD COLUMN team text NOT NULL DEFAULT 'local' CHECK (team ~ '^[a-z0-9][a-z0-9-]{0,39}$');
ALTER TABLE console.run ADD COLUMN turn integer NOT NULL DEFAULT 0 CHECK (turn >= 0);
CREATE INDEX run_turn ON console.run (team, turn) WHERE state IN ('queued', 'running');

-- Which of the library's own migrations are applied.
CREATE TABLE console.queue_migration (
    name text PRIMARY KEY,
    sha256 bytea NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
