import { games } from '#games';
import { mount } from 'svelte';
import './theme.css';
import App from './App.svelte';
import { House } from './house.svelte';
import { fetchFirst, language } from './messages/language.svelte';
import { keepShell } from './pocket/install';

const target = document.getElementById('app')!;
keepShell();
fetchFirst().then(
  () => {
    // Whoever hears the page hears it in its own language from the first word.
    document.documentElement.lang = language.now;
    mount(App, { target, props: { house: new House(games) } });
  },
  // There are no words for it.
  () => {
    const again = Object.assign(document.createElement('a'), {
      href: location.href,
      textContent: '↻ Caveau',
      className: 'button',
    });
    again.onclick = () => location.reload();
    target.append(again);
  },
);
