CREATE TABLE state (json TEXT NOT NULL);
CREATE TABLE jobs (
	id INTEGER PRIMARY KEY,
	team INTEGER NOT NULL CHECK (team IN (0, 1)), gpus INTEGER NOT NULL CHECK (gpus BETWEEN 1 AND 1000000),
	hours INTEGER NOT NULL CHECK (hours BETWEEN 1 AND 1000000),
	done INTEGER NOT NULL DEFAULT 0, running INTEGER NOT NULL DEFAULT 0,
	line INTEGER NOT NULL DEFAULT 0, cost INTEGER NOT NULL DEFAULT 0
);

-- An organisation that gets 400 credits a day, and below it teams 0 and 1. A GPU costs a team its Rate an hour.
-- What is left at the end of a day expires, but for Carry. Amounts are micro-credits.
INSERT INTO state VALUES ('{
	"ledger": {"version": 1, "accounts": [
		{"parent": -1, "allowance": 400000000, "free": 400000000},
		{"parent": 0, "allowance": 300000000, "free": 300000000, "carry": 100000000},
		{"parent": 0, "allowance": 300000000, "free": 300000000, "carry": 100000000}]},
	"users": [{"rate": 2000000}, {"rate": 1000000}]}');

-- A job: team, GPUs, hours.
INSERT INTO jobs (team, gpus, hours) VALUES (0, 8, 5), (1, 4, 30), (1, 4, 2), (1, 8, 3);
