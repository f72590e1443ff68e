// Copy buttons are hidden until this script runs. The result is shown on the button and announced to screen readers.
function textBeside(button) {
  const scope = button.closest('.code, .row-copy');
  return (scope?.querySelector('code, output')?.textContent ?? '').trim();
}

export function startCopying() {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', async () => {
      const label = button.getAttribute('aria-label') ?? 'Copy';
      try {
        await navigator.clipboard.writeText(textBeside(button));
        announce('Copied');
        button.setAttribute('aria-label', 'Copied');
        setTimeout(() => button.setAttribute('aria-label', label), 2000);
      } catch {
        announce('Could not copy: select the text instead');
      }
    });
  }
}

function announce(words) {
  document.querySelector('.toast')?.remove();
  const toast = document.createElement('div');
  toast.className = 'toast';
  toast.setAttribute('role', 'status');
  document.body.append(toast);
  toast.textContent = words;
  setTimeout(() => toast.remove(), 2500);
}
