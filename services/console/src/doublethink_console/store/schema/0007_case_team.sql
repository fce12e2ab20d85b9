-- Whose a case is: its runs are the same team's. Cases from before are those of the team that asked about them last.
ALTER TABLE console.case_file ADD COLUMN team text NOT NULL DEFAULT 'local' CHECK (team ~ '^[a-z0-9][a-z0-9-]{0,39}$');
UPDATE console.case_file SET team = asked.team
    FROM (SELECT DISTINCT ON (case_id) case_id, team FROM console.run ORDER BY case_id, created_at DESC) AS asked
    WHERE asked.case_id = console.case_file.id;
CREATE INDEX case_file_by_team ON console.case_file (team, created_at);
CREATE INDEX run_by_team ON console.run (team, created_at);
