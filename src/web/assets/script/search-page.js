// Searches while the reader types: the results are replaced by those that the server renders, and the address changes
// with them, so that it can be shared and the back button works.
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
      // After an error the form can still be sent without script.
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

  // Screen readers announce changes of a live region only if it was in the document before its text.
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
