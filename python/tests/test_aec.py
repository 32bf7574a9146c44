"""The interface of PettingZoo: by its own tests where it is, and by ours with it and without."""

import os
import subprocess
import sys
import unittest
import warnings

import numpy as np

import caveau

try:
    import pettingzoo
    from pettingzoo.test import api_test, seed_test
except ImportError as missing:
    pettingzoo = None
    if "CAVEAU_PETTINGZOO" in os.environ:
        raise SystemExit(f"CAVEAU_PETTINGZOO is {os.environ['CAVEAU_PETTINGZOO']!r}, and PettingZoo cannot be had from there: {missing}")
    print("not run: api_test and seed_test of PettingZoo, which is not installed; CAVEAU_PETTINGZOO=DIR says where it is", file=sys.stderr)

TABLES = [("dawn-under", 4, "2004"), ("dawn-under", 6, "rucola"), ("dawn-under", 2, "2017"), ("toc-toc-toc", 3, ""), ("toc-toc-toc", 5, "")]


def play(env, random, most=10_000):
    """Plays to the end, and answers what each agent got."""
    got = {agent: 0.0 for agent in env.possible_agents}
    for agent in env.agent_iter(most):
        observation, reward, terminated, truncated, _ = env.last()
        got[agent] += reward
        env.step(None if terminated or truncated else random.choice(np.flatnonzero(observation["action_mask"])))
    return got


class TestCaveau(unittest.TestCase):
    def test_a_game_from_the_first_move_to_the_last_agent(self):
        for table in TABLES:
            env = caveau.env(*table, moves=5000)
            env.reset(seed=1)
            got = play(env, np.random.default_rng(1))
            self.assertEqual(env.agents, [])
            self.assertAlmostEqual(sum(got.values()), 1, places=6)
            env.close()

    def test_a_game_that_is_stopped_is_truncated(self):
        env = caveau.env("dawn-under", 3, moves=4)
        env.reset(seed=1)
        for _ in range(4):
            env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
        self.assertTrue(all(env.truncations.values()) and not any(env.terminations.values()))
        self.assertEqual(sum(play(env, None).values()), 0)
        env.close()

    def test_who_says_something_illegal_hears_it_and_goes_on(self):
        env = caveau.env("toc-toc-toc", 3)
        env.reset(seed=2)
        agent, before = env.agent_selection, env.last()[0]["observation"].tobytes()
        with self.assertRaisesRegex(caveau.Refused, '"accept" is no move now'):
            env.step(env.batch.actions.index("accept"))
        self.assertEqual((env.agent_selection, env.last()[0]["observation"].tobytes()), (agent, before))
        env.close()

    def test_a_resample_is_another_game(self):
        env = caveau.env("toc-toc-toc", 3)
        env.reset(seed=3)
        env.step(np.flatnonzero(env.last()[0]["action_mask"])[0])
        before = env.last()[0]["observation"].tobytes()
        others = [env.resample(env.agent_selection, seed) for seed in range(8)]
        for other in others:
            self.assertEqual(other.last()[0]["observation"].tobytes(), before)
            play(other, np.random.default_rng(3))
            other.close()
        self.assertEqual(env.last()[0]["observation"].tobytes(), before)
        one, two = (env.resample(env.agent_selection, 5) for _ in range(2))
        self.assertEqual(play(one, np.random.default_rng(3)), play(two, np.random.default_rng(3)))
        one.close(), two.close()
        play(env, np.random.default_rng(3))
        env.close()

    def test_what_is_rendered(self):
        env = caveau.env("toc-toc-toc", 3, render_mode="ansi")
        env.reset(seed=4)
        self.assertRegex(env.render(), r"(?s)^(.) looks, \1 is asked: knock\nshown: .*\nown: .*\nmoves: \[\"knock ")
        env.close()

    def test_parts_of_an_observation(self):
        env = caveau.env("dawn-under", 3, "rucola")
        env.reset(seed=5)
        self.assertEqual(env.part(env.observe("player_1"), "bats").tolist(), [2, 2, 2])
        self.assertEqual(env.part(env.observe("player_1"), "you").tolist(), 2)
        env.close()

    def test_without_pettingzoo(self):
        if not pettingzoo:
            return  # then all of these tests are without it
        hidden = "import sys; sys.modules.update(pettingzoo=None, gymnasium=None); sys.argv[1:] = ['TestCaveau']; import runpy; " \
                 f"runpy.run_path({__file__!r}, run_name='__main__')"
        left = {name: value for name, value in os.environ.items() if name != "CAVEAU_PETTINGZOO"}
        ended = subprocess.run([sys.executable, "-c", hidden], env=left, capture_output=True, text=True)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertIn("not run: api_test and seed_test", ended.stderr)


@unittest.skipUnless(pettingzoo, "PettingZoo is not installed")
class TestPettingZoo(unittest.TestCase):
    def test_api(self):
        for table in TABLES:
            env = caveau.env(*table)
            self.assertIsInstance(env, pettingzoo.AECEnv)
            with warnings.catch_warnings():
                # It advises spaces that are a box, and takes an observation with a mask from its own games alone.
                warnings.filterwarnings("ignore", "Observation space for each agent probably should be|Observation is not a NumPy array")
                warnings.filterwarnings("ignore", "Action mask numpy array is all zeros")  # when the game is over
                api_test(env, num_cycles=300)
            env.close()

    def test_seed(self):
        for table in TABLES:
            seed_test(lambda: caveau.env(*table), num_cycles=200)


if __name__ == "__main__":
    unittest.main()
