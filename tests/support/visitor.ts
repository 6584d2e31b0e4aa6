/** A browser without JavaScript, with forms, redirects, and cookies, for tests across two origins. */
import { demoPassword } from '#sandbox/identity/people.ts'

export type Visitor = ReturnType<typeof createVisitor>

type Kept = { value: string; path: string; attributes: string }

/** A visitor without cookies. Cookies are matched by host and path, as in browsers, ignoring ports. */
export function createVisitor() {
  const jar = new Map<string, Kept>()

  function keep(response: { headers: Headers }, url: URL): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
      const cut = pair.indexOf('=')
      const [name, value] = [pair.slice(0, cut), pair.slice(cut + 1)]
      const written = (attribute: string) =>
        attributes.find((text) => text.toLowerCase().startsWith(`${attribute}=`))?.slice(attribute.length + 1)
      const path = written('path') ?? '/'
      const expires = written('expires')
      const isGone = written('max-age') === '0' || (expires !== undefined && Date.parse(expires) < Date.now())
      const key = `${url.hostname} ${path} ${name}`
      if (isGone) jar.delete(key)
      else jar.set(key, { value, path, attributes: attributes.join('; ') })
    }
  }

  function cookieFor(url: URL): string {
    return [...jar]
      .filter(
        ([key, { path }]) =>
          key.startsWith(`${url.hostname} `) &&
          (url.pathname === path || url.pathname.startsWith(path.endsWith('/') ? path : `${path}/`)),
      )
      .map(([key, { value }]) => `${key.split(' ')[2]}=${value}`)
      .join('; ')
  }

  /** Sends one request without following redirects. With `form` it is a POST from a page of the same origin. */
  async function ask(
    address: string | URL,
    { form, headers = {} }: { form?: Record<string, string> | FormData; headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const url = new URL(address)
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie: cookieFor(url), ...(form && { origin: url.origin }), ...headers },
      ...(form && { method: 'POST', body: form instanceof FormData ? form : new URLSearchParams(form) }),
    })
    keep(response, url)
    return response
  }

  return {
    ask,
    /** Stores the cookies of a response obtained another way. */
    keep,
    /**
     * Sends a request and follows redirects to the end, or to the first address for which `stops` is true. Doesn't
     * request that address. Returns the final address.
     */
    async follow(
      address: string | URL,
      { form, stops = () => false }: { form?: Record<string, string>; stops?: (url: URL) => boolean } = {},
    ): Promise<{ url: URL; response: Response }> {
      let url = new URL(address)
      let response = await ask(url, form ? { form } : {})
      for (let count = 0; count < 15; count += 1) {
        const location = response.headers.get('location')
        if (location === null) return { url, response }
        url = new URL(location, url)
        if (stops(url)) return { url, response }
        response = await ask(url)
      }
      throw new Error(`Too many redirects, the last to ${url.href}`)
    },
    /** The Cookie header for an address. */
    cookieFor: (address: string) => cookieFor(new URL(address)),
    /** The cookies called `name`, with their attributes. */
    cookie: (name: string) => [...jar].find(([key]) => key.endsWith(` ${name}`))?.[1],
    setCookie: (host: string, name: string, value: string) =>
      void jar.set(`${host} / ${name}`, { value, path: '/', attributes: '' }),
    /** Returns the form action on the page that ends with `ending`. */
    async formAction(response: Response, ending: string): Promise<string> {
      const html = await response.clone().text()
      const found = [...html.matchAll(/<form[^>]*action="([^"]+)"/g)]
        .map(([, action = '']) => action.replaceAll('&amp;', '&'))
        .find((action) => action.includes(ending))
      if (found === undefined) throw new Error(`No form to ${ending} on ${html.slice(0, 600)}`)
      return found
    },
  }
}

/** Signs a visitor in at the sandbox's provider, from clicking "Sign in" to the final page. */
export async function signInAt(
  origin: string,
  visitor: Visitor,
  {
    back = '/account',
    email = 'dana@example.com',
    password = demoPassword,
  }: { back?: string; email?: string; password?: string } = {},
): Promise<{ url: URL; response: Response }> {
  const asked = await visitor.follow(`${origin}/sign-in`, { form: { back } })
  const action = await visitor.formAction(asked.response, '/login')
  return visitor.follow(new URL(action, asked.url), { form: { email, password } })
}

/**
 * Signs a visitor in to the back office at the sandbox's provider. With `again`, the provider requires the password
 * even in a known browser.
 */
export async function signInToOffice(
  origin: string,
  visitor: Visitor,
  {
    email = 'owner@example.com',
    back = '/office',
    again = false,
    factor,
  }: { email?: string; back?: string; again?: boolean; factor?: string } = {},
): Promise<{ url: URL; response: Response }> {
  const form = { back, ...(again && { again: 'yes' }) }
  const asked = await visitor.follow(`${origin}/office/sign-in`, { form })
  const action = await visitor.formAction(asked.response, '/login')
  return visitor.follow(new URL(action, asked.url), {
    form: { email, password: demoPassword, ...(factor !== undefined && { factor }) },
  })
}

/** Signs a visitor in to the portal of shops, as an owner by default. */
export async function signInToPortal(
  origin: string,
  visitor: Visitor,
  email = 'shop-owner@example.com',
): Promise<{ url: URL; response: Response }> {
  const asked = await visitor.follow(`${origin}/portal/sign-in`, { form: { back: '/portal' } })
  const action = await visitor.formAction(asked.response, '/login')
  return visitor.follow(new URL(action, asked.url), { form: { email, password: demoPassword } })
}

/** The cookie of the owner of two shops who has just signed in to the portal. */
export async function portalSessionOf(origin: string): Promise<string> {
  const visitor = createVisitor()
  await signInToPortal(origin, visitor)
  return `sw_portal=${visitor.cookie('sw_portal')?.value ?? ''}`
}

/** The cookie of an owner who has just signed in to the back office. */
export async function officeSessionOf(origin: string): Promise<string> {
  const visitor = createVisitor()
  await signInToOffice(origin, visitor)
  return `sw_office=${visitor.cookie('sw_office')?.value ?? ''}`
}

/** The password of people registered by `registerAt`. */
export const ownPassword = 'ten letters'

/** Registers a new user at the sandbox's provider, who returns signed in. */
export async function registerAt(
  origin: string,
  visitor: Visitor,
  name: string,
  { back = '/', email = `${name.toLowerCase()}@example.com` }: { back?: string; email?: string } = {},
): Promise<{ url: URL; response: Response }> {
  const asked = await visitor.follow(`${origin}/register`, { form: { back } })
  const action = await visitor.formAction(asked.response, '/register')
  return visitor.follow(new URL(action, asked.url), { form: { name, email, password: ownPassword } })
}

/** Signs in and returns the session cookie. */
export async function sessionOf(origin: string, email?: string): Promise<string> {
  const visitor = createVisitor()
  await signInAt(origin, visitor, email === undefined ? {} : { email })
  return `sw_session=${visitor.cookie('sw_session')?.value ?? ''}`
}
