/**
 * What script adds to links, buttons and forms that do their work without it. The element says what by its
 * `data-interaction`; the code comes with the first use, so that no page waits for it. An address that names a link to
 * a modal, `#warranty`, opens it.
 */
export function listenForInteractions(): void {
  // On the way down: until the page is hydrated React stops the way up.
  document.addEventListener('click', begin, true)
  document.addEventListener('submit', begin, true)
  const named = document.getElementById(window.location.hash.slice(1))
  if (named?.dataset['interaction'] === 'modal') named.click()
}

function begin(event: MouseEvent | SubmitEvent): void {
  const part = (event.target as Element).closest<HTMLElement>('[data-interaction]')
  if (!part || (event.type === 'submit') !== (part.tagName === 'FORM')) return
  // A link in a new tab is a link in a new tab.
  if ('ctrlKey' in event && (event.ctrlKey || event.metaKey || event.shiftKey)) return
  event.preventDefault()
  void import('#app/ui/interactions.ts').then(({ perform }) => perform(part, event))
}
