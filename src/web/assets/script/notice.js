// A dismissed notice stays hidden until its text changes.
const KEY = 'dismissed-notice';

function read() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

export function startNotice() {
  const notice = document.querySelector('[data-notice]');
  const button = notice?.querySelector('[data-dismiss]');
  if (!notice || !button) return;
  const version = notice.dataset.notice ?? '';
  if (read() === version) {
    notice.hidden = true;
    return;
  }
  button.hidden = false;
  button.addEventListener('click', () => {
    notice.hidden = true;
    try {
      localStorage.setItem(KEY, version);
    } catch {
      // Without storage the notice is shown again on the next page.
    }
  });
}
