/**
 * Adds script to links, buttons and forms that also work without it. The element has the interaction's name in
 * `data-interaction`. Its code loads on first use, so that it doesn't delay the page. An address with the fragment of a
 * modal link, such as `#warranty`, opens the modal.
 */
export function listenForInteractions(): void {
  // In the capture phase, because React stops events from bubbling until the page is hydrated.
  document.addEventListener('click', begin, true)
  document.addEventListener('submit', begin, true)
  const named = document.getElementById(window.location.hash.slice(1))
  if (named?.dataset['interaction'] === 'modal') named.click()
}

function begin(event: MouseEvent | SubmitEvent): void {
  const part = (event.target as Element).closest<HTMLElement>('[data-interaction]')
  if (!part || (event.type === 'submit') !== (part.tagName === 'FORM')) return
  // A link opened in a new tab should open normally.
  if ('ctrlKey' in event && (event.ctrlKey || event.metaKey || event.shiftKey)) return
  event.preventDefault()
  void import('#app/ui/interactions.ts').then(({ perform }) => perform(part, event))
}
