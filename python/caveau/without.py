"""What PettingZoo would bring, for whoever has not installed it: how agents take turns, and what the last one was told."""


class AECEnv:
    @property
    def num_agents(self):
        return len(self.agents)

    @property
    def max_num_agents(self):
        return len(self.possible_agents)

    @property
    def unwrapped(self):
        return self

    def __str__(self):
        return self.metadata["name"]

    def agent_iter(self, max_iter=2**63):
        """Whoever is to act, until nobody is left; each is to be stepped."""
        while self.agents and max_iter > 0:
            max_iter -= 1
            yield self.agent_selection

    def last(self, observe=True):
        """What whoever is to act is told: observation, reward since he last acted, terminated, truncated, info."""
        agent = self.agent_selection
        return (self.observe(agent) if observe else None, self._cumulative_rewards[agent], self.terminations[agent],
                self.truncations[agent], self.infos[agent])

    def _accumulate_rewards(self):
        for agent, reward in self.rewards.items():
            self._cumulative_rewards[agent] += reward

    def _was_dead_step(self, action):
        """Whoever is out leaves with an action of None, and then the next one of those who are."""
        if action is not None:
            raise ValueError("whoever is out has no action but None")
        agent = self.agent_selection
        for of in self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos:
            del of[agent]
        self.agents.remove(agent)
        self.rewards = {each: 0.0 for each in self.agents}
        if self.agents:
            self.agent_selection = self.agents[0]
