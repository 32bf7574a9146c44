"""Many games at once, as a program sees them that learns. What is told, and to whom, is examined in Go (env, game/gametest)."""

import unittest

import numpy as np

import caveau

TABLES = [("dawn-under", 4, "2004"), ("dawn-under", 3, "rucola"), ("dawn-under", 2, "2017"), ("toc-toc-toc", 3, ""), ("toc-toc-toc", 5, "")]


def anything(told, random):
    """An action for every game that is not over."""
    return [random.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in told.masks]


class TestBatch(unittest.TestCase):
    def test_games_end_and_those_who_have_won_share_a_point(self):
        for game, players, edition in TABLES:
            with self.subTest(game=game, edition=edition), caveau.Batch(game, players, edition, games=8, moves=3000) as batch:
                random, told = np.random.default_rng(1), batch.look()
                while not told.ended.all():
                    told = batch.step(anything(told, random))
                np.testing.assert_allclose(told.returns.sum(axis=1), ~told.stopped, rtol=1e-6)
                self.assertFalse(told.turns.any() or told.masks.any())

    def test_the_same_seed_is_the_same_game(self):
        with caveau.Batch("toc-toc-toc", 4, games=3, auto=True) as batch:
            def play(seed):
                batch.reset(seed)
                random, told = np.random.default_rng(2), batch.look()
                for _ in range(250):
                    told = batch.step(anything(told, random))
                return told.rows.tobytes()

            self.assertEqual(play(5), play(5))
            self.assertNotEqual(play(5), play(6))

    def test_a_row_is_what_one_reads(self):
        colours = ["white", "black", "yellow", "red", "green", "blue"]
        with caveau.Batch("dawn-under", 3, "2004", aid="all", seed=9) as batch:
            random, told = np.random.default_rng(3), batch.look()
            for _ in range(300):
                told = batch.step(anything(told, random))
            row, shown = told.rows[0], batch.read(0, told.turns[0] - 1)["shown"]
            self.assertEqual(batch.part(row, "stakes").tolist(), shown.get("stakes", [0, 0, 0]))
            self.assertEqual(batch.part(row, "down").tolist(), [r.get("down", 0) for r in shown["rows"]])
            for vampires, said in zip(batch.part(row, "rows"), shown["rows"]):
                self.assertEqual([colours[v - 1] for v in vampires if v], said.get("left", []) + said.get("right", []))
            self.assertEqual((batch.part(row, "lids") == 4).sum(), sum("mark" in g for g in shown["graves"]))

    def test_who_says_something_illegal_hears_it_and_goes_on(self):
        with caveau.Batch("dawn-under", 4, "2004", games=2) as batch:
            before = batch.look().rows.tobytes()
            with self.assertRaisesRegex(caveau.Refused, '"stop" is no move now') as refused:
                batch.step([0, batch.actions.index("stop")])
            self.assertEqual(refused.exception.code, "illegal")
            self.assertEqual(batch.look().rows.tobytes(), before)
            with self.assertRaises(caveau.Refused):
                batch.reset(1, which=[2])
            batch.step([0, 0])
        with self.assertRaisesRegex(EOFError, "has ended"):
            batch.look()

    def test_terms_that_no_rulebook_knows(self):
        with self.assertRaisesRegex(caveau.Refused, "it is for 3 to 5"):
            caveau.Batch("toc-toc-toc", 6)

    def test_resamples_look_the_same_and_are_not(self):
        with caveau.Batch("toc-toc-toc", 3, seed=4) as batch:
            told = batch.step(anything(batch.look(), np.random.default_rng(4)))  # somebody knocks
            seat = told.turns[0] - 1
            batch.resample(0, seat, into=range(1, 50), seed=7)
            told = batch.look()
            self.assertEqual(len({row.tobytes() for row in told.rows}), 1)
            told = batch.step([batch.actions.index("accept")] * 50)
            self.assertGreater(len({row.tobytes() for row in told.rows}), 5)


if __name__ == "__main__":
    unittest.main()
