// The search page answers while its reader types: the results are replaced by those that the server draws, and the
// address stays in step, so that it can be shared and gone back to.
const DEBOUNCE_MS = 200;

export function startSearchPage() {
  const form = document.querySelector('main[data-page="search"] [data-form="search"]');
  const input = form?.querySelector('[name="q"]');
  if (!form || !input) return;
  let timer = 0;
  let request = null;

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(update, DEBOUNCE_MS);
  });

  async function update() {
    request?.abort();
    request = new AbortController();
    const query = new URLSearchParams(new FormData(form));
    if (!input.value.trim()) query.delete('q');
    const address = query.size > 0 ? `/search?${query}` : '/search';
    try {
      const answer = await fetch(address, { signal: request.signal, headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      show(new DOMParser().parseFromString(await answer.text(), 'text/html'));
      history.replaceState(null, '', address);
    } catch (error) {
      // The form still works by itself.
      if (error.name !== 'AbortError') console.warn(error.message);
    }
  }

  function show(drawn) {
    const fresh = drawn.querySelector('[data-results]');
    const results = document.querySelector('[data-results]');
    if (!fresh || !results) return;
    document.title = drawn.title;
    announce(fresh);
    results.replaceChildren(...fresh.children);
  }

  // A region that comes with its words is not read out; one that was there before is.
  function announce(fresh) {
    let region = document.querySelector('[data-search-count]');
    if (!region) {
      region = document.createElement('p');
      region.className = 'sr';
      region.dataset.searchCount = '';
      region.setAttribute('role', 'status');
      form.after(region);
    }
    region.textContent = fresh.querySelector('[role="status"]')?.textContent.trim().split('\n')[0] ?? '';
    for (const status of fresh.querySelectorAll('[role="status"]')) status.removeAttribute('role');
  }
}
