-- What the gate keeps beside the ledger: sessions and their capabilities, queries, results, pages, facts.
--
-- Every table names its session, and every reference carries the session with it, so that the database itself
-- refuses a row that would tie one session's query, result or page to another's. Nothing here is free text that a
-- mind chose: the text of a query lies encrypted in the ledger's payload and is reached by the row id.

CREATE SCHEMA gate;
REVOKE ALL ON SCHEMA gate FROM PUBLIC;

-- 16 random bytes in lower-case base32 without padding; the last letter carries three bits.
CREATE DOMAIN gate.session_id AS text CHECK (VALUE ~ '^ses_[a-z2-7]{25}[aeimquy4]$');
CREATE DOMAIN gate.query_id AS text CHECK (VALUE ~ '^qry_[a-z2-7]{25}[aeimquy4]$');
CREATE DOMAIN gate.result_id AS text CHECK (VALUE ~ '^res_[a-z2-7]{25}[aeimquy4]$');
CREATE DOMAIN gate.page_id AS text CHECK (VALUE ~ '^pag_[a-z2-7]{25}[aeimquy4]$');
CREATE DOMAIN gate.fact_id AS text CHECK (VALUE ~ '^fct_[a-z2-7]{25}[aeimquy4]$');
CREATE DOMAIN gate.sha256 AS bytea CHECK (octet_length(VALUE) = 32);
CREATE DOMAIN gate.time_us AS bigint CHECK (VALUE >= 0);

-- pack: the session's fingerprints, wrapped under the key-encryption key that pack_kek names. It goes when the
-- session ends, so that a closed session leaves nothing to match a secret with.
CREATE TABLE gate.session (
    id gate.session_id PRIMARY KEY,
    tenant text NOT NULL CHECK (tenant ~ '^[a-z0-9][a-z0-9_-]{0,62}$'),
    policy_sha256 gate.sha256 NOT NULL,
    source text NOT NULL CHECK (source ~ '^[a-z0-9][a-z0-9_-]{0,31}$'),
    state text NOT NULL CHECK (state IN ('open', 'closed', 'expired')),
    created_us gate.time_us NOT NULL,
    expires_us gate.time_us NOT NULL CHECK (expires_us > created_us),
    closed_us gate.time_us CHECK (closed_us >= created_us),
    max_queries integer NOT NULL CHECK (max_queries >= 0),
    max_pages integer NOT NULL CHECK (max_pages >= 0),
    max_calls integer NOT NULL CHECK (max_calls >= 0),
    max_bytes bigint NOT NULL CHECK (max_bytes >= 0),
    pack_kek text,
    pack_iv bytea CHECK (octet_length(pack_iv) = 12),
    pack_wrapped bytea CHECK (octet_length(pack_wrapped) BETWEEN 16 AND 16777232),
    CHECK ((state = 'open') = (closed_us IS NULL)),
    CHECK (state = 'open' OR pack_wrapped IS NULL),
    CHECK (num_nulls(pack_kek, pack_iv, pack_wrapped) IN (0, 3))
);
CREATE INDEX session_open ON gate.session (tenant, expires_us) WHERE state = 'open';

-- A capability is 256 random bits; only its SHA-256 is kept. query narrows it to one query.
CREATE TABLE gate.capability (
    sha256 gate.sha256 PRIMARY KEY,
    session gate.session_id NOT NULL REFERENCES gate.session (id) ON DELETE CASCADE,
    role text NOT NULL CHECK (role IN ('console', 'planner', 'validator', 'reader')),
    query gate.query_id
);
CREATE INDEX capability_session ON gate.capability (session);

-- row_id and n name the ledger row of the attempt.
CREATE TABLE gate.query (
    session gate.session_id NOT NULL REFERENCES gate.session (id) ON DELETE CASCADE,
    id gate.query_id PRIMARY KEY,
    row_id uuid NOT NULL UNIQUE,
    n bigint NOT NULL CHECK (n > 0),
    created_us gate.time_us NOT NULL,
    UNIQUE (session, id)
);
ALTER TABLE gate.capability ADD FOREIGN KEY (session, query) REFERENCES gate.query (session, id) ON DELETE CASCADE;

CREATE TABLE gate.result (
    session gate.session_id NOT NULL,
    id gate.result_id PRIMARY KEY,
    query gate.query_id NOT NULL,
    rank integer NOT NULL CHECK (rank BETWEEN 1 AND 1000),
    source_class text NOT NULL CHECK (source_class ~ '^[a-z0-9][a-z0-9_]{0,31}$'),
    url text NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 8192),
    title text NOT NULL DEFAULT '' CHECK (octet_length(title) <= 4096),
    snippet bytea NOT NULL DEFAULT '' CHECK (octet_length(snippet) <= 65536),
    UNIQUE (session, id),
    UNIQUE (query, rank),
    FOREIGN KEY (session, query) REFERENCES gate.query (session, id) ON DELETE CASCADE
);

-- raw: the bytes as they came, after content decoding; text: what the extractor made of them ("page-text/1").
CREATE TABLE gate.page (
    session gate.session_id NOT NULL,
    id gate.page_id PRIMARY KEY,
    result gate.result_id NOT NULL,
    row_id uuid NOT NULL,
    url text NOT NULL CHECK (octet_length(url) BETWEEN 1 AND 8192),
    title text NOT NULL DEFAULT '' CHECK (octet_length(title) <= 4096),
    fetched_at_us gate.time_us NOT NULL,
    raw bytea NOT NULL CHECK (octet_length(raw) <= 33554432),
    raw_sha256 gate.sha256 NOT NULL CHECK (raw_sha256 = sha256(raw)),
    text bytea NOT NULL CHECK (octet_length(text) <= 33554432),
    text_sha256 gate.sha256 NOT NULL CHECK (text_sha256 = sha256(text)),
    extractor text NOT NULL CHECK (extractor ~ '^[a-z0-9][a-z0-9._/-]{0,63}$'),
    hidden_elements integer NOT NULL DEFAULT 0 CHECK (hidden_elements >= 0),
    hidden_characters integer NOT NULL DEFAULT 0 CHECK (hidden_characters >= 0),
    cut boolean NOT NULL DEFAULT false,
    UNIQUE (session, id),
    FOREIGN KEY (session, result) REFERENCES gate.result (session, id) ON DELETE CASCADE
);
CREATE INDEX page_result ON gate.page (result);

-- body: the fact as the validator wrote it, its serialised message.
CREATE TABLE gate.fact (
    session gate.session_id NOT NULL,
    id gate.fact_id PRIMARY KEY,
    query gate.query_id NOT NULL,
    page gate.page_id NOT NULL,
    row_id uuid NOT NULL UNIQUE,
    body bytea NOT NULL CHECK (octet_length(body) BETWEEN 1 AND 65536),
    created_us gate.time_us NOT NULL,
    UNIQUE (session, id),
    FOREIGN KEY (session, query) REFERENCES gate.query (session, id) ON DELETE CASCADE,
    FOREIGN KEY (session, page) REFERENCES gate.page (session, id) ON DELETE CASCADE
);
CREATE INDEX fact_query ON gate.fact (query);

GRANT USAGE ON SCHEMA gate TO doublethink_gate, doublethink_retention;
GRANT SELECT, INSERT ON gate.session, gate.capability, gate.query, gate.result, gate.page, gate.fact
    TO doublethink_gate;
-- A session may end and lose its pack; what it was opened with stays.
GRANT UPDATE (state, closed_us, pack_kek, pack_iv, pack_wrapped) ON gate.session TO doublethink_gate;
GRANT DELETE ON gate.capability TO doublethink_gate;
-- Deleting a session takes its queries, results, pages and facts with it; the ledger's rows stay.
GRANT SELECT (id, state, expires_us, closed_us), DELETE ON gate.session TO doublethink_retention;
