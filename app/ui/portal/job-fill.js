/**
 * On the work order, fills the DOT code of a line's first tire into its empty ones as soon as the box is checked, and
 * adds step buttons for the old tread. Sent to the browser unbuilt, so it is plain JavaScript; without it the server
 * fills in the codes when the form is saved.
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
