// The theme button cycles through system, light and dark.
const NEXT = { system: 'light', light: 'dark', dark: 'system' };

function stored() {
  try {
    const theme = localStorage.getItem('theme');
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    return 'system';
  }
}

function apply(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === 'system') localStorage.removeItem('theme');
    else localStorage.setItem('theme', theme);
  } catch {
    // Without storage the choice holds for this page only.
  }
}

export function startTheme() {
  for (const button of document.querySelectorAll('[data-theme-toggle]')) {
    const name = () => button.setAttribute('aria-label', `Theme: ${stored()}`);
    button.hidden = false;
    name();
    button.addEventListener('click', () => {
      apply(NEXT[stored()]);
      name();
    });
  }
}
