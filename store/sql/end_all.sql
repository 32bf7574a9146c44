INSERT INTO rounds (guest, round) VALUES ($1, 1) ON CONFLICT (guest) DO UPDATE SET round = rounds.round + 1
