-- What is secret is sealed by the console before it comes here (AES-256-GCM, bound to table, column and row).

CREATE TABLE console.case_file (
    id uuid PRIMARY KEY,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- title, memo, secrets, public terms, canaries
    sealed bytea NOT NULL
);

CREATE TABLE console.run (
    id uuid PRIMARY KEY,
    case_id uuid NOT NULL REFERENCES console.case_file ON DELETE CASCADE,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    started_at timestamptz,
    ended_at timestamptz,
    state text NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'running', 'answered', 'not_found', 'refused', 'failed')),
    planner text NOT NULL,
    max_queries integer NOT NULL CHECK (max_queries BETWEEN 1 AND 64),
    budget_queries integer NOT NULL DEFAULT 0,
    budget_pages integer NOT NULL DEFAULT 0,
    budget_model_calls integer NOT NULL DEFAULT 0,
    budget_seconds integer NOT NULL DEFAULT 0,
    sealed_question bytea NOT NULL,
    session_id text UNIQUE,
    -- Of the console, the planner and the validator; only while the session is open.
    sealed_capabilities bytea,
    attempts integer NOT NULL DEFAULT 0,
    -- The console that writes to the run; it holds the advisory lock of this number as long as it lives.
    instance bigint,
    cancel_requested boolean NOT NULL DEFAULT false,
    -- Of the closed enumeration; 0 if nothing was refused or failed.
    code integer NOT NULL DEFAULT 0
);
CREATE INDEX run_by_case ON console.run (case_id, created_at);
CREATE INDEX run_unfinished ON console.run (created_at) WHERE state IN ('queued', 'running');
CREATE INDEX run_session_open ON console.run (id) WHERE sealed_capabilities IS NOT NULL;

CREATE TABLE console.run_event (
    run_id uuid NOT NULL REFERENCES console.run ON DELETE CASCADE,
    position integer NOT NULL CHECK (position >= 0),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind text NOT NULL CHECK (kind ~ '^[a-z_]{1,20}$'),
    -- The planner's event as it came: ids and enumerations only. NULL for the console's own steps.
    step bytea,
    PRIMARY KEY (run_id, position)
);

CREATE TABLE console.answer (
    run_id uuid PRIMARY KEY REFERENCES console.run ON DELETE CASCADE,
    sealed bytea NOT NULL
);

-- Copies to show. The ledger itself is the gate's.
CREATE TABLE console.ledger_row (
    session_id text NOT NULL,
    n bigint NOT NULL,
    run_id uuid NOT NULL REFERENCES console.run ON DELETE CASCADE,
    arrival bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    seq bigint NOT NULL,
    id bytea NOT NULL,
    at_us bigint NOT NULL,
    prev bytea NOT NULL,
    body bytea NOT NULL,
    hash bytea NOT NULL,
    -- The text that was allowed to leave.
    sealed_payload bytea,
    PRIMARY KEY (session_id, n)
);
