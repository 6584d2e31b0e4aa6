/**
 * Opens a link's page in a modal, showing its main part in a native dialog, which traps focus, closes on Escape and
 * restores focus. `data-page` overrides the link's page. A link with an id appears in the address while its modal is
 * open.
 */
export async function openModal(link: HTMLAnchorElement): Promise<void> {
  const main = await readMain(link.dataset['page'] ?? link.href)
  if (!main) return window.location.assign(link.href)
  const dialog = document.createElement('dialog')
  dialog.className = 'modal page-modal'
  dialog.setAttribute('closedby', 'any')
  const title = main.querySelector('h1')
  if (title) {
    title.id = 'modal-title'
    // The first link would take the focus, and screen reader users would miss what this is.
    title.tabIndex = -1
    title.autofocus = true
    dialog.setAttribute('aria-labelledby', title.id)
  }
  dialog.append(...main.childNodes, closing())
  dialog.addEventListener('close', () => {
    dialog.remove()
    if (link.id) showInAddress('')
  })
  document.body.append(dialog)
  dialog.showModal()
  if (link.id) showInAddress(`#${link.id}`)
}

async function readMain(address: string): Promise<Element | null> {
  try {
    const response = await fetch(address)
    return response.ok
      ? new DOMParser().parseFromString(await response.text(), 'text/html').querySelector('main')
      : null
  } catch {
    return null
  }
}

function closing(): HTMLFormElement {
  const form = document.createElement('form')
  form.method = 'dialog'
  const button = document.createElement('button')
  button.className = 'btn quiet wide'
  button.textContent = 'Close'
  form.append(button)
  return form
}

function showInAddress(hash: string): void {
  window.history.replaceState(window.history.state, '', window.location.pathname + window.location.search + hash)
}
