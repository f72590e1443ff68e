// A follow button changes at once and changes back with a message when the service refuses. A form without a CSRF token
// belongs to a reader who is not signed in; the script leaves it alone, and sending it leads to the sign-in page.
function show(form, following) {
  const button = form.querySelector('button');
  form.elements.namedItem('action').value = following ? 'unfollow' : 'follow';
  button.querySelector('span').textContent = following ? button.dataset.on : 'Follow';
  if (button.dataset.on === 'Following') button.setAttribute('aria-pressed', String(following));
}

function showStatus(form, words) {
  let status = form.querySelector('[role=status]');
  if (!status) {
    status = document.createElement('span');
    status.className = 'small muted';
    status.setAttribute('role', 'status');
    form.append(status);
  }
  status.textContent = words;
}

async function send(fields) {
  try {
    const answer = await fetch('/follow', { method: 'POST', body: fields, headers: { Accept: 'application/json' } });
    return answer.ok;
  } catch {
    return false;
  }
}

export function startFollowing() {
  for (const form of document.querySelectorAll('form[data-form="follow"]')) {
    if (!form.elements.namedItem('csrf')) continue;
    let busy = false;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      if (busy) return;
      busy = true;
      const fields = new URLSearchParams(new FormData(form));
      const following = fields.get('action') === 'follow';
      show(form, following);
      showStatus(form, '');
      if (!(await send(fields))) {
        show(form, !following);
        showStatus(form, 'That did not work. Reload the page and try again.');
      }
      busy = false;
    });
  }
}
