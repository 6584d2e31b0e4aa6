/**
 * A field to sign in with a finger, on the work order. Sent to the browser unbuilt, so it is plain JavaScript; without it
 * the customer types their name and checks a box.
 */
const size = { width: 300, height: 100 }
/** Points closer together than this are one. */
const nearest = 2
/** In characters; the server takes 4,000. */
const longest = 3_900

for (const place of document.querySelectorAll('[data-sign]')) {
  const input = place.querySelector('input')
  if (input instanceof HTMLInputElement && place instanceof HTMLElement) field(place, input)
}

/**
 * @param {HTMLElement} place
 * @param {HTMLInputElement} input
 */
function field(place, input) {
  const canvas = document.createElement('canvas')
  const scale = Math.ceil(devicePixelRatio)
  canvas.width = size.width * scale
  canvas.height = size.height * scale
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', 'Sign here with a finger')
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.scale(scale, scale)
  pen.lineWidth = 2
  pen.lineCap = 'round'
  pen.lineJoin = 'round'
  pen.strokeStyle = getComputedStyle(place).color
  /** @type {string[]} */
  let strokes = []
  /** @type {{ x: number, y: number } | null} */
  let last = null
  const kept = input.value.length > longest ? '' : input.value

  /** @param {PointerEvent} event */
  const at = (event) => {
    const box = canvas.getBoundingClientRect()
    const on = (/** @type {number} */ share, /** @type {number} */ most) =>
      Math.round(Math.min(1, Math.max(0, share)) * most)
    return {
      x: on((event.clientX - box.left) / box.width, size.width),
      y: on((event.clientY - box.top) / box.height, size.height),
    }
  }
  /** @param {{ x: number, y: number }} to */
  const add = (to) => {
    if (strokes.join(';').length > longest) return
    if (last && Math.hypot(to.x - last.x, to.y - last.y) < nearest) return
    const from = last ?? to
    pen.beginPath()
    pen.moveTo(from.x, from.y)
    pen.lineTo(to.x, to.y)
    pen.stroke()
    const begun = last ? strokes.pop() : undefined
    strokes.push(begun === undefined ? `${to.x},${to.y}` : `${begun} ${to.x},${to.y}`)
    last = to
    input.value = strokes.join(';')
  }
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    last = null
    add(at(event))
  })
  canvas.addEventListener('pointermove', (event) => {
    if (last && event.buttons > 0) add(at(event))
  })
  const lift = () => (last = null)
  canvas.addEventListener('pointerup', lift)
  canvas.addEventListener('pointercancel', lift)

  // Restores a drawing returned with the page.
  for (const stroke of kept === '' ? [] : kept.split(';')) {
    last = null
    for (const point of stroke.split(' ')) {
      const [x = 0, y = 0] = point.split(',').map(Number)
      add({ x, y })
    }
    last = null
  }

  const clear = document.createElement('button')
  clear.type = 'button'
  clear.className = 'btn wide'
  clear.textContent = 'Clear the signature'
  clear.addEventListener('click', () => {
    strokes = []
    input.value = ''
    pen.clearRect(0, 0, size.width, size.height)
  })
  place.append(canvas, clear)
  place.classList.add('is-ready')
}
