// Runs before the first paint, so that a chosen theme does not flash. Without a choice the theme of the system applies.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be refused; then the theme of the system applies.
}
