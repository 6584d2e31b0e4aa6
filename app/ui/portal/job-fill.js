/**
 * On the work order, fills the DOT code of a line's first tire into its empty ones as soon as the box is checked, adds
 * step buttons for the old tread, and updates the button that finishes the job. Sent to the browser unbuilt, so it is
 * plain JavaScript; without it the server fills in the codes when the form is saved, and lists missing fields.
 */
for (const box of document.querySelectorAll('input[data-fill]')) if (box instanceof HTMLInputElement) watchBox(box)

/** @param {HTMLInputElement} box */
function watchBox(box) {
  const inputs = [...document.querySelectorAll(`input[data-line="${box.dataset['fill']}"]`)].filter(
    (input) => input instanceof HTMLInputElement,
  )
  const [first, ...others] = inputs
  if (!first) return
  const fill = () => {
    for (const input of others)
      if (box.checked && (input.value === '' || input.dataset['filled'] === 'yes')) {
        input.value = first.value
        input.dataset['filled'] = 'yes'
      } else if (!box.checked && input.dataset['filled'] === 'yes') {
        input.value = ''
        delete input.dataset['filled']
      }
  }
  box.addEventListener('change', fill)
  first.addEventListener('input', fill)
  // What is typed over a filled code is the tire's own.
  for (const input of others) input.addEventListener('input', () => delete input.dataset['filled'])
}

for (const input of document.querySelectorAll('input[data-tread]'))
  if (input instanceof HTMLInputElement) addSteps(input)

/**
 * Adds minus and plus buttons to a field. An empty field starts at 4/32, a typical depth at replacement.
 * @param {HTMLInputElement} input
 */
function addSteps(input) {
  const name = input.labels?.[0]?.textContent ?? 'Old tread'
  const frame = document.createElement('div')
  frame.className = 'job-steps-by-one'
  input.replaceWith(frame)
  /**
   * @param {number} change
   * @param {string} sign
   */
  const stepButton = (change, sign) => {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'btn'
    button.textContent = sign
    button.setAttribute('aria-label', `${change < 0 ? 'Less' : 'More'}: ${name}`)
    button.addEventListener('click', () => {
      const tread = Number.parseInt(input.value, 10)
      input.value = String(Number.isNaN(tread) ? 4 : Math.min(32, Math.max(0, tread + change)))
      input.dispatchEvent(new Event('input', { bubbles: true }))
    })
    return button
  }
  frame.append(stepButton(-1, '−'), input, stepButton(1, '+'))
}

for (const link of document.querySelectorAll('a[data-again]'))
  link.addEventListener('click', (event) => {
    event.preventDefault()
    goTo(fieldOf(/** @type {HTMLAnchorElement} */ (link)))
  })

const finishButton = document.querySelector('[data-finish]')
if (finishButton instanceof HTMLElement) watchFinish(finishButton)

/** @param {HTMLAnchorElement} link */
function fieldOf(link) {
  return document.getElementById(link.hash.slice(1))
}

/** @param {HTMLElement | null} field */
function goTo(field) {
  const target = field instanceof HTMLInputElement ? field : field?.querySelector('input, button')
  field?.scrollIntoView({ block: 'center' })
  if (target instanceof HTMLElement) target.focus()
  if (target instanceof HTMLInputElement) target.select()
}

/**
 * Counts the missing fields as they are filled in, and leads to the next one. Once all are filled in, the button
 * submits the form.
 * @param {HTMLElement} button
 */
function watchFinish(button) {
  const links = [...document.querySelectorAll('.job-bar li a')].filter((link) => link instanceof HTMLAnchorElement)
  // By the number of missing fields.
  const labels = (button.dataset['finish'] ?? '').split('|')
  const signer = document.getElementById('signedName')
  const isMissing = (/** @type {HTMLAnchorElement} */ link) => {
    const field = fieldOf(link)
    if (!(field instanceof HTMLInputElement)) return field !== null
    const isSigned = field.id === 'code' && signer instanceof HTMLInputElement && signer.value !== ''
    return field.value.trim() === '' && !isSigned
  }
  const missing = () => links.filter(isMissing)
  button.addEventListener('click', (event) => {
    const [next] = missing()
    if (!next) return
    event.preventDefault()
    goTo(fieldOf(next))
  })
  const update = () => {
    const left = missing()
    const [label, note] = [button.querySelector('b'), button.querySelector('small')]
    for (const link of links) link.hidden = !left.includes(link)
    if (label) label.textContent = labels[left.length] ?? ''
    if (note) note.textContent = left[0] ? `Next: ${left[0].textContent}` : ''
  }
  // Checking the box fills in the codes after its input event.
  for (const kind of ['input', 'change']) document.addEventListener(kind, update)
}
