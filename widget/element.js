/**
 * <sidewall-tires>: tires with their price and first times at one shop, on a partner's own page. Sent to the browser as it
 * stands. Everything is in a shadow root and made of text, never of markup; it sets no cookies. Until it runs, and where it
 * cannot, the link inside the element stays. Over 400 lines: the browser loads it as one file.
 */
;(() => {
  const script = document.currentScript
  if (!(script instanceof HTMLScriptElement) || customElements.get('sidewall-tires')) return
  const home = new URL(script.src).origin
  const ink = '#14161a'
  const white = '#ffffff'

  const look = `
:host{all:initial!important;display:block!important;container-type:inline-size!important;min-width:0!important}
:host([hidden]){display:none!important}
*{box-sizing:border-box;margin:0;padding:0}
.in{font:400 14px/1.45 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;color:var(--tx);background:var(--bg);border:1px solid var(--ln);border-radius:8px;padding:14px;text-align:start}
.title{font-size:17px;font-weight:700;line-height:1.25}.place{color:var(--tx2);margin-top:3px}header b{color:var(--tx)}
a{color:inherit}:focus-visible{outline:3px solid var(--fo);outline-offset:2px}
.tabs{display:grid;grid-template-columns:1fr 1fr;margin-top:12px;border:1px solid var(--ct);border-radius:6px;overflow:hidden}
.tabs button{min-height:44px;border:0;background:none;color:var(--tx);font-family:inherit;font-size:14px;font-weight:600;cursor:pointer}
.tabs button[aria-pressed=true]{background:var(--tx);color:var(--bg)}.tabs :focus-visible{outline-offset:-4px}
form{display:grid;grid-template-columns:1fr 1fr;gap:8px;margin-top:10px}form.size{grid-template-columns:repeat(3,minmax(0,1fr))}
[hidden]{display:none!important}
label{display:grid;gap:3px;font-size:12px;font-weight:500;min-width:0}
select,input{width:100%;min-width:0;min-height:44px;padding:0 8px;border:1px solid var(--ct);border-radius:6px;background:var(--bg);color:var(--tx);font-family:inherit;font-size:16px;font-weight:400}
.go{grid-column:1/-1;min-height:44px;border:0;border-radius:6px;padding:0 18px;background:var(--ac);color:var(--on);font-family:inherit;font-size:15px;font-weight:600;cursor:pointer}
.head{margin-top:14px;padding-bottom:8px;border-bottom:1px solid var(--ln)}.head span{display:block;color:var(--tx2);font-size:12px}
ol{list-style:none}li{padding:12px 0;border-bottom:1px solid var(--ln)}
.offer{display:grid;grid-template-columns:48px minmax(0,1fr);gap:2px 12px;text-decoration:none}.offer:hover b:first-of-type{text-decoration:underline}
svg{width:48px;height:48px;grid-row:1/3}.name{display:grid}.name b{font-size:15px;line-height:1.3}.small{font-size:12px;color:var(--tx2)}
.fit{font-weight:600;color:var(--tx)}
.sum{grid-column:2;display:flex;gap:6px;align-items:baseline;font-variant-numeric:tabular-nums}.sum b{font-size:16px}
.times{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px;padding-left:60px}
.times a{display:grid;place-items:center;min-height:44px;padding:0 10px;border:1px solid var(--ct);border-radius:6px;font-size:13px;font-weight:500;text-decoration:none;white-space:nowrap}.times a:nth-child(n+3){display:none}@container(min-width:700px){.times a:nth-child(n+3){display:grid}}
.note{margin-top:10px}.note .times{margin-top:8px;padding-left:0}.note a{padding-block:3px}.sk{display:grid;gap:10px;margin-top:12px}.sk i{height:44px;border-radius:6px;background:var(--ln);animation:wait 1.2s ease-in-out infinite alternate}
@keyframes wait{to{opacity:.5}}@media(prefers-reduced-motion:reduce){.sk i{animation:none}}
footer{display:flex;flex-wrap:wrap;gap:4px 12px;justify-content:space-between;align-items:center;padding-top:10px;font-size:12px;color:var(--tx2)}
footer a{font-weight:600;font-size:14px;color:var(--tx);padding-block:10px}
@container(min-width:560px){.in{padding:20px}.tabs{width:220px}form{grid-template-columns:.8fr 1fr 1fr 1fr auto;align-items:end}form.size{grid-template-columns:repeat(3,minmax(0,1fr)) auto}.go{grid-column:auto}
.head{display:flex;justify-content:space-between;align-items:baseline;gap:16px}li{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:8px 20px;align-items:center}
.offer{grid-template-columns:56px minmax(0,1fr) auto;gap:2px 14px}svg{width:56px;height:56px;grid-row:1}.sum{grid-column:3;display:grid;justify-items:end;gap:0}.sum b{font-size:18px}.times{margin:0;padding:0}}`

  /** Six digits of a color, or what stands in for it. */
  /** @type {(text: string | null, other: string) => string} */
  const colorOf = (text, other) => (text !== null && /^#[0-9a-f]{6}$/i.test(text) ? text : other)
  /** @type {(color: string) => number} */
  const light = (color) => {
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
      const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  /** @type {(one: string, other: string) => number} */
  const contrast = (one, other) => {
    const [a = 0, b = 0] = [light(one), light(other)].sort((x, y) => x - y)
    return (b + 0.05) / (a + 0.05)
  }
  /** The darker and the lighter of our texts, whichever reads better. */
  /** @type {(ground: string) => string} */
  const readable = (ground) => (contrast(ground, white) >= contrast(ground, ink) ? white : ink)
  /** A color with a part of another. */
  /** @type {(from: string, to: string, share: number) => string} */
  const mix = (from, to, share) =>
    `#${[1, 3, 5]
      .map((at) => {
        const [a = 0, b = 0] = [from, to].map((color) => Number.parseInt(color.slice(at, at + 2), 16))
        return Math.round(a + (b - a) * share)
          .toString(16)
          .padStart(2, '0')
      })
      .join('')}`

  /** An element with attributes and what is in it; texts stay texts. */
  /**
   * @template {keyof HTMLElementTagNameMap} Name
   * @param {Name} name
   * @param {Record<string, string>} attributes
   * @param {...(Node | string | null)} inside
   * @returns {HTMLElementTagNameMap[Name]}
   */
  const make = (name, attributes = {}, ...inside) => {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...inside.filter((each) => each !== null))
    return made
  }
  const tire = () => {
    const space = 'http://www.w3.org/2000/svg'
    const drawn = document.createElementNS(space, 'svg')
    drawn.setAttribute('viewBox', '0 0 48 48')
    drawn.setAttribute('aria-hidden', 'true')
    const rings = /** @type {const} */ ([
      [22, '#23262d'],
      [13, '#d9d5cc'],
      [9, '#8c8f95'],
      [3, '#23262d'],
    ])
    for (const [radius, fill] of rings) {
      const circle = document.createElementNS(space, 'circle')
      for (const [key, value] of Object.entries({ cx: 24, cy: 24, r: radius, fill }))
        circle.setAttribute(key, String(value))
      drawn.append(circle)
    }
    return drawn
  }
  /** @type {(path: string, query: Record<string, string | null>) => Promise<unknown>} */
  const read = async (path, query) => {
    const url = new URL(path, home)
    for (const [key, value] of Object.entries(query)) if (value) url.searchParams.set(key, value)
    const answer = await fetch(url, { credentials: 'omit', headers: { accept: 'application/json' } })
    if (!answer.ok) throw new Error(String(answer.status))
    return answer.json()
  }

  /**
   * @typedef {{ url: string; name: string; tire: string; each: string; four: string; total: string | null; reason: string | null; fit: string | null; bookings: { label: string; url: string }[] }} Offer
   * @typedef {{ shop: { name: string; street: string; phone: string }; subject: string; count: string; offers: Offer[]; first: string | null; late: { firstUrl: string | null; othersUrl: string } | null; allUrl: string }} Found
   * @typedef {number | { slug: string; name: string }} Choice
   */
  class SidewallTires extends HTMLElement {
    #asked = 0
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #again
    /** @type {{ name: string; phone: string } | undefined} */
    #shop
    /** @type {ShadowRoot | undefined} */
    #root
    // Not a heading: which level it would have is the page's to say.
    #title = make('p', { class: 'title' }, 'Tires, installed')
    #place = make('p', { class: 'place' })
    #found = make('div', { role: 'status' })
    #all = make('a', { href: home, target: '_top' }, 'Open the store')

    connectedCallback() {
      if (this.#root) return
      const root = this.attachShadow({ mode: 'open' })
      this.#root = root
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(look)
      root.adoptedStyleSheets = [sheet]
      root.append(this.#draw())
    }

    get #query() {
      return { key: this.getAttribute('key'), shop: this.getAttribute('shop'), source: this.getAttribute('source') }
    }

    /** The link of the page, which is there before and after. */
    get #plain() {
      const link = this.querySelector('a[href]')
      return link instanceof HTMLAnchorElement && /^https?:/.test(link.href) ? link.href : home
    }

    #draw() {
      const bg = colorOf(this.getAttribute('background'), white)
      const wanted = colorOf(this.getAttribute('text'), readable(bg))
      const tx = contrast(wanted, bg) >= 4.5 ? wanted : readable(bg)
      let tx2 = mix(tx, bg, 0.3)
      if (contrast(tx2, bg) < 4.5) tx2 = tx
      const accent = colorOf(this.getAttribute('accent'), '#0e5a4f')
      const on = readable(accent)
      const isDark = light(bg) < 0.2
      const colors = {
        bg,
        tx,
        tx2,
        ln: mix(bg, tx, 0.16),
        ct: mix(bg, tx, 0.55),
        ac: accent,
        on,
        fo: isDark ? '#7fb0ff' : '#1a5fd0',
      }
      const box = make('div', { class: 'in', role: 'group', 'aria-label': 'Tires with installation' })
      for (const [name, value] of Object.entries(colors)) box.style.setProperty(`--${name}`, value)
      const isVehicle = this.getAttribute('start') === 'vehicle'
      this.#all.setAttribute('href', this.#plain)
      const [vehicle, size] = [this.#vehicleForm(), this.#sizeForm()]
      const tabs = [
        [vehicle, 'Vehicle'],
        [size, 'Size'],
      ].map(([form, label], index) => {
        const pressed = isVehicle === (index === 0)
        form.hidden = !pressed
        return make('button', { type: 'button', 'aria-pressed': String(pressed) }, label)
      })
      tabs.forEach((tab, index) =>
        tab.addEventListener('click', () => {
          tabs.forEach((each, at) => each.setAttribute('aria-pressed', String(at === index)))
          vehicle.hidden = index !== 0
          size.hidden = index !== 1
        }),
      )
      box.append(
        make('header', {}, this.#title, this.#place),
        make('div', { class: 'tabs', role: 'group', 'aria-label': 'Search by' }, ...tabs),
        vehicle,
        size,
        this.#found,
        make('footer', {}, this.#all, make('span', {}, 'Booking by Sidewall')),
      )
      return box
    }

    /** @param {string} label */
    #select(label) {
      const select = make('select', {}, make('option', { value: '' }, 'Choose'))
      return { select, label: make('label', {}, label, select) }
    }

    #vehicleForm() {
      const fields = [this.#select('Year'), this.#select('Make'), this.#select('Model'), this.#select('Trim')]
      const form = make(
        'form',
        {},
        ...fields.map(({ label }) => label),
        make('button', { class: 'go' }, 'Show 5 tires'),
      )
      const selects = fields.map(({ select }) => select)
      const [year, mk, model, trim] =
        /** @type {[HTMLSelectElement, HTMLSelectElement, HTMLSelectElement, HTMLSelectElement]} */ (selects)
      const names = /** @type {const} */ (['years', 'makes', 'models', 'trims'])
      /** @param {0 | 1 | 2 | 3} from */
      const fill = async (from) => {
        for (const select of selects.slice(from)) select.replaceChildren(make('option', { value: '' }, 'Choose'))
        if (from > 0 && selects[from - 1]?.value === '') return
        try {
          const choices = /** @type {Record<'years' | 'makes' | 'models' | 'trims', Choice[]>} */ (
            await read('/api/vehicles', { year: year.value, make: mk.value, model: model.value })
          )
          for (const each of choices[names[from]]) {
            const { slug, name } = typeof each === 'number' ? { slug: String(each), name: String(each) } : each
            selects[from]?.append(make('option', { value: slug }, name))
          }
        } catch {
          this.#fail(() => {
            this.#found.replaceChildren()
            void fill(from)
          })
        }
      }
      let isFilled = false
      const start = () => {
        if (isFilled) return
        isFilled = true
        void fill(0)
      }
      form.addEventListener('focusin', start)
      form.addEventListener('pointerenter', start)
      if (this.getAttribute('start') === 'vehicle') start()
      year.addEventListener('change', () => void fill(1))
      mk.addEventListener('change', () => void fill(2))
      model.addEventListener('change', () => void fill(3))
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        if (!year.value || !mk.value || !model.value) return this.#say('Choose a year, a make and a model.')
        void this.#load(async () => {
          const path = ['/api/vehicles', year.value, mk.value, model.value].map(encodeURIComponent).join('/')
          const { key } = /** @type {{ key: string }} */ (await read(path.replaceAll('%2F', '/'), { trim: trim.value }))
          return { vehicle: key }
        })
      })
      return form
    }

    #sizeForm() {
      const fields = ['Width', 'Ratio', 'Rim'].map((label) => {
        const input = make('input', { inputmode: 'numeric', autocomplete: 'off', maxlength: '4' })
        return { input, label: make('label', {}, label, input) }
      })
      const preset = /^(\d{3})\/?(\d{2})r?(\d{2})$/i.exec(this.getAttribute('size') ?? '')
      fields.forEach(({ input }, index) => (input.value = preset?.[index + 1] ?? ''))
      const form = make(
        'form',
        { class: 'size' },
        ...fields.map(({ label }) => label),
        make('button', { class: 'go' }, 'Show 5 tires'),
      )
      form.addEventListener('submit', (event) => {
        event.preventDefault()
        const [width = '', ratio = '', rim = ''] = fields.map(({ input }) => input.value.trim())
        if (!/^\d{3}$/.test(width) || !/^\d{2}$/.test(ratio) || !/^\d{2}$/.test(rim))
          return this.#say('Enter the size as on the sidewall, such as 225, 65 and 17.')
        void this.#load(async () => ({ size: `${width}-${ratio}r${rim}` }))
      })
      return form
    }

    /** @param {...(string | Node)} text */
    #say(...text) {
      this.#found.replaceChildren(make('p', { class: 'note' }, ...text))
    }

    /**
     * The store cannot be reached: whom to call, and another attempt every minute while the page is open.
     * @param {() => void} again
     */
    #fail(again) {
      const name = this.#shop?.name ?? this.getAttribute('name')
      const phone = this.#shop?.phone ?? this.getAttribute('phone')
      this.#all.setAttribute('href', this.#plain)
      this.#all.textContent = 'Open the store'
      this.#say(
        make('b', {}, 'Tires can’t load right now.'),
        ' We try again in a minute.',
        ...(name && phone
          ? [` Or call ${name}: `, make('a', { href: `tel:${phone.replace(/[^\d+]/g, '')}` }, phone)]
          : []),
      )
      this.#again = setTimeout(() => {
        if (this.isConnected) again()
      }, 60_000)
    }

    /** @param {() => Promise<{ size: string } | { vehicle: string }>} prepare */
    async #load(prepare) {
      clearTimeout(this.#again)
      const asked = (this.#asked += 1)
      this.#found.replaceChildren(
        make('div', { class: 'sk', 'aria-label': 'Loading tires' }, make('i'), make('i'), make('i')),
      )
      try {
        const answer = await read('/widget/v1/offers', { ...this.#query, ...(await prepare()) })
        if (asked === this.#asked) this.#show(/** @type {Found} */ (answer))
      } catch (error) {
        if (asked !== this.#asked) return
        if (error instanceof Error && error.message === '404') {
          this.#all.setAttribute('href', this.#plain)
          this.#say('No tires are sold in this size. Open the store to see others.')
        } else this.#fail(() => void this.#load(prepare))
      }
    }

    /**
     * The shop is full for a week or longer: the first time, and other shops.
     * @param {string | null} first
     * @param {NonNullable<Found['late']>} late
     */
    #lateNote(first, { firstUrl, othersUrl }) {
      return make(
        'div',
        { class: 'note' },
        make(
          'p',
          {},
          make('b', {}, first ? `No openings before ${first}.` : 'No openings in the next weeks.'),
          ` Prices stay as they are. See other shops nearby${first ? ', or take the first time' : ''}.`,
        ),
        make(
          'p',
          { class: 'times' },
          first && firstUrl ? make('a', { href: firstUrl, target: '_top' }, first) : null,
          make('a', { href: othersUrl, target: '_top' }, 'Other shops'),
        ),
      )
    }

    /** @param {Found} found */
    #show({ shop, subject, count, offers, first, late, allUrl }) {
      this.#shop = shop
      this.#title.textContent = `Tires, installed at ${shop.name}`
      this.#place.replaceChildren(`${shop.street}. `, ...(first ? ['First free time: ', make('b', {}, first)] : []))
      this.#all.setAttribute('href', allUrl)
      this.#all.textContent = `All ${count}`
      const items = offers.map((offer) =>
        make(
          'li',
          {},
          make(
            'a',
            { class: 'offer', href: offer.url, target: '_top' },
            tire(),
            make(
              'span',
              { class: 'name' },
              offer.reason ? make('span', { class: 'small' }, offer.reason) : null,
              make('b', {}, offer.name),
              make('span', { class: 'small' }, `${offer.tire}, ${offer.each} each`),
              offer.fit ? make('span', { class: 'small fit' }, offer.fit) : null,
            ),
            make(
              'span',
              { class: 'sum' },
              make('b', {}, offer.total ?? offer.four),
              make('span', { class: 'small' }, offer.total ? 'for 4, all in' : 'for 4, tires alone'),
            ),
          ),
          offer.bookings.length === 0
            ? make('p', { class: 'small' }, 'No free time in the next weeks')
            : make(
                'p',
                { class: 'times', role: 'group', 'aria-label': 'First times' },
                ...offer.bookings.map(({ label, url }) => make('a', { href: url, target: '_top' }, label)),
              ),
        ),
      )
      const isLate = offers.length > 0 && late
      this.#found.replaceChildren(
        ...(isLate ? [this.#lateNote(first, late)] : []),
        make(
          'p',
          { class: 'head' },
          make('b', {}, `${offers.length} of ${count} ${subject}`),
          make('span', {}, 'Price for 4 with installation and tax'),
        ),
        make('ol', {}, ...items),
      )
    }
  }
  customElements.define('sidewall-tires', SidewallTires)
})()
