"""One game with PettingZoo's AEC interface. Without PettingZoo it is the same but for the spaces, which are Gymnasium's."""

import json

import numpy as np

from caveau.batch import Batch, letter

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError:
    from caveau.without import AECEnv

    spaces = None


def env(game="dawn-under", players=None, edition=None, *, aid="", moves=0, events=16, options=None, choices=None, render_mode=None, program=None):
    """A game at a table. Its agents are player_0, player_1 and so on, by seat; docs/env.md says what they are told."""
    if edition is None:
        edition = "2004" if game == "dawn-under" else ""
    return Caveau(game, players or 4, edition, aid=aid, moves=moves, events=events, options=options, choices=choices,
                  render_mode=render_mode, program=program)


class Caveau(AECEnv):
    """An observation is {"observation": the row that its seat is told, "action_mask": what it may do}, and info has the mask too.
    Whoever has won gets one point, those who have won together share it."""

    metadata = {"name": "caveau_v1", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game, players, edition, *, render_mode=None, **terms):
        super().__init__()
        if render_mode not in (None, "ansi"):
            raise ValueError(f"render_mode is {render_mode!r}: it can be None or 'ansi'")
        self.render_mode = render_mode
        self.batch = Batch(game, players, edition, **terms)
        self.metadata = {**Caveau.metadata, "name": game.replace("-", "_") + "_v1"}
        self._places = Places(self.batch)
        self._n = self._places.take()
        self._random = np.random.default_rng()
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = []
        if spaces:
            self._observation_space = {agent: spaces.Dict({
                "observation": spaces.Box(0, 255, (self.batch.space["row"],), np.uint8),
                "action_mask": spaces.Box(0, 1, (len(self.batch.actions),), np.int8),
            }) for agent in self.possible_agents}
            self._action_space = {agent: spaces.Discrete(len(self.batch.actions)) for agent in self.possible_agents}

    def reset(self, seed=None, options=None):
        """A new deal: with the same seed the same one. Without a seed it follows from the one before, or from none."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.batch.reset(self._random.integers(2**63), [self._n])
        self.agents = list(self.possible_agents)
        self.rewards = {agent: 0.0 for agent in self.agents}
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = dict(self.terminations)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._ask(self.batch.look())

    def step(self, action):
        """The move of whoever is asked, by its number. One that is illegal raises caveau.Refused, and nothing has changed."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        actions = np.full(self.batch.games, -1, np.int32)
        actions[self._n] = action
        told = self.batch.step(actions)
        self._cumulative_rewards[agent] = 0.0
        for seat, each in enumerate(self.agents):
            self.rewards[each] = float(told.returns[self._n, seat])
        if told.ended[self._n]:
            how = self.truncations if told.stopped[self._n] else self.terminations
            how.update((each, True) for each in self.agents)
        self._ask(told)
        self._accumulate_rewards()

    def observe(self, agent):
        mask, row = self.batch.observe(self._n, self.possible_agents.index(agent))
        return {"observation": row, "action_mask": mask.astype(np.int8)}

    def part(self, observation, name):
        """A field of an observation, by its name (docs/env.md)."""
        return self.batch.part(observation["observation"], name)

    def resample(self, agent, seed=None):
        """Another game that can be played on from here, in a state that this agent cannot tell from the true one. Close it too."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._n = self._places.take()
        if seed is None:
            seed = self._random.integers(2**63)
        other._random = np.random.default_rng(seed)
        try:
            self.batch.resample(self._n, self.possible_agents.index(agent), [other._n], seed)
        except BaseException:
            other.close()
            raise
        other.agents = list(self.agents)
        for name in "rewards", "_cumulative_rewards", "terminations", "truncations", "infos":
            setattr(other, name, dict(getattr(self, name)))
        other._ask(self.batch.look())
        return other

    def render(self):
        """What whoever is asked sees, in words."""
        if self.render_mode is None:
            return None
        seat = self.possible_agents.index(self.agent_selection)
        sight = self.batch.read(self._n, seat)
        lines = [f"{letter(seat)} looks, {sight.get('turn') or 'nobody'} is asked: {sight.get('asked', 'the game is over')}"]
        lines += [f"{key}: {json.dumps(sight[key])}" for key in ("shown", "own", "moves", "ended") if key in sight]
        return "\n".join(lines)

    def close(self):
        """Gives the game up; the process ends with the last one of it."""
        self._places.give_back(self._n)

    def observation_space(self, agent):
        return self._space("_observation_space", agent)

    def action_space(self, agent):
        return self._space("_action_space", agent)

    def _space(self, which, agent):
        if not spaces:
            raise ImportError("spaces are Gymnasium's: install pettingzoo, or use batch.space")
        return getattr(self, which)[agent]

    def _ask(self, told):
        """From now on it is the turn of whoever is told so."""
        self.infos = {agent: {} for agent in self.agents}
        if told.turns[self._n]:
            self.agent_selection = self.possible_agents[told.turns[self._n] - 1]
            self.infos[self.agent_selection] = {"action_mask": told.masks[self._n].astype(np.int8)}


class Places:
    """Which games of a batch are whose."""

    def __init__(self, batch):
        self._batch, self._taken = batch, set()

    def take(self):
        n = next(n for n in range(len(self._taken) + 1) if n not in self._taken)
        self._taken.add(n)
        return n

    def give_back(self, n):
        self._taken.discard(n)
        if not self._taken:
            self._batch.close()
