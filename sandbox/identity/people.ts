import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'
import { promisify } from 'node:util'
import { newId } from '../ids.ts'
import type { Store } from '../store.ts'

/** Someone who can sign in. The email is kept in lower case. */
export type Person = {
  id: string
  email: string
  isEmailVerified: boolean
  name: string
  /** Null for people who came by one tap and never chose one. */
  password: { salt: string; hash: string } | null
  changedAt: string
}

type NewPerson = Pick<Person, 'email' | 'name' | 'isEmailVerified'>

export type People = ReturnType<typeof openPeople>

/**
 * Present from the start, so that visitors can try the demo signed in. Printed by `npm start`, shown on the sandbox's
 * home page.
 */
export const demoPassword = 'sidewall-demo'
export const demoPeople = [
  { email: 'dana@example.com', name: 'Dana Ruiz', isEmailVerified: true, words: 'A shopper with a verified email' },
  {
    email: 'lee@example.com',
    name: 'Lee Park',
    isEmailVerified: false,
    words: 'A shopper with an unverified email',
  },
  {
    email: 'erin@example.com',
    name: 'Erin Cole',
    isEmailVerified: true,
    words: 'Works here and gets the employee price',
  },
  {
    email: 'felix@example.com',
    name: 'Felix Grant',
    isEmailVerified: true,
    words: 'Owns a fleet, with orders on net terms, open and paid invoices: fleet price',
  },
  {
    email: 'tilda@example.com',
    name: 'Tilda Lund',
    isEmailVerified: true,
    words: 'Buys for Felix’s fleet and sees only her own orders',
  },
  {
    email: 'vic@example.com',
    name: 'Vic Moss',
    isEmailVerified: true,
    words: 'Oversees Felix’s fleet. Sees every order and invoice, but can’t buy',
  },
  {
    email: 'fern@example.com',
    name: 'Fern Osei',
    isEmailVerified: true,
    words: 'Owns a fleet that gets quotes for a list of vehicles',
  },
  {
    email: 'paula@example.com',
    name: 'Paula Ortiz',
    isEmailVerified: true,
    words: 'A partner with orders, store credit, and the partner price',
  },
  {
    email: 'mona@example.com',
    name: 'Mona Webb',
    isEmailVerified: true,
    words: 'Has a membership, orders, store credit, and the loyalty member price',
  },
  {
    email: 'sol@example.com',
    name: 'Sol Marsh',
    isEmailVerified: true,
    words: 'Owns a special-order company with special pricing and a quote',
  },
  { email: 'will@example.com', name: 'Will Tran', isEmailVerified: true, words: 'A dealer: wholesale price' },
  {
    email: 'sam@example.com',
    name: 'Sam Doyle',
    isEmailVerified: true,
    words: 'A sales account at retail that sends quotes to customers',
  },
  { email: 'noa@example.com', name: 'Noa Kim', isEmailVerified: true, words: 'An account without a type, at retail' },
  {
    email: 'olive@example.com',
    name: 'Olive Hart',
    isEmailVerified: true,
    words: 'A returning customer with an order in every state',
  },
  { email: 'rita@example.com', name: 'Rita Vale', isEmailVerified: true, words: 'Sees and buys two brands only' },
  {
    email: 'support@example.com',
    name: 'Suki Lane',
    isEmailVerified: true,
    words: 'Support: orders, returns, refunds, quotes, messages and reviews in the back office',
  },
  {
    email: 'sales@example.com',
    name: 'Sal Ibarra',
    isEmailVerified: true,
    words: 'Sales: orders, quotes, leads and applications in the back office',
  },
  {
    email: 'warehouse@example.com',
    name: 'Wanda Ross',
    isEmailVerified: true,
    words: 'Warehouse staff with orders, returns and stock in the back office, without customer data',
  },
  {
    email: 'catalog@example.com',
    name: 'Cato Berg',
    isEmailVerified: true,
    words: 'Catalog: items, imports, promotions and reviews in the back office',
  },
  {
    email: 'finance@example.com',
    name: 'Fina Holt',
    isEmailVerified: true,
    words: 'Finance: refunds, invoices, certificates, reports and the audit log in the back office',
  },
  {
    email: 'manager@example.com',
    name: 'Manny Cruz',
    isEmailVerified: true,
    words: 'Manager: the whole back office except staff invitations and settings',
  },
  {
    email: 'owner@example.com',
    name: 'Oona Shaw',
    isEmailVerified: true,
    words: 'Owner: the whole back office',
  },
  {
    email: 'shop-owner@example.com',
    name: 'Hal Brandt',
    isEmailVerified: true,
    words: 'Owns two tire shops in the portal, one of them still in set-up',
  },
  {
    email: 'technician@example.com',
    name: 'Wes Okafor',
    isEmailVerified: true,
    words: "Tire shop technician with the shop's day in the portal",
  },
  {
    email: 'van-owner@example.com',
    name: 'Vera Lund',
    isEmailVerified: true,
    words: 'Owns a mobile van and manages its stops and area in the portal',
  },
] as const

export const shortestPassword = 10

export type DemoPerson = (typeof demoPeople)[number]

/** The users of the sandbox's identity provider. */
export function openPeople(store: Store, now: () => Temporal.Instant, { hasDemoPeople }: { hasDemoPeople: boolean }) {
  const demo: readonly DemoPerson[] = hasDemoPeople ? demoPeople : []
  const people = store.collection<Person>('person')
  const idsByEmail = store.collection<string>('person-email')
  const codes = store.collection<string>('person-verification')

  function findByEmail(email: string): Person | undefined {
    const id = idsByEmail.get(email.toLowerCase())
    return id === undefined ? undefined : people.get(id)
  }

  function keep(person: Person): Person {
    const changed = { ...person, changedAt: now().toString() }
    people.put(person.id, changed)
    return changed
  }

  /** Adds a person; returns undefined if the email is taken. */
  async function add(input: NewPerson & { password: string | null }): Promise<Person | undefined> {
    return addHashed(input, input.password === null ? null : await hashed(input.password))
  }

  function addHashed(input: NewPerson, password: Person['password']): Person | undefined {
    return store.transaction(() => {
      if (findByEmail(input.email)) return undefined
      const person = keep({
        id: newId('person_', 16),
        email: input.email.toLowerCase(),
        isEmailVerified: input.isEmailVerified,
        name: input.name,
        password,
        changedAt: '',
      })
      idsByEmail.put(person.email, person.id)
      return person
    })
  }

  return {
    get: people.get,
    /** The demo people; empty in a sandbox without them. */
    demo,
    findByEmail,
    add,
    async addDemoPeople(): Promise<void> {
      const missing = demo.filter(({ email }) => !findByEmail(email))
      if (missing.length === 0) return
      // They share a password, hashed once, at the first sign-in.
      const password = await hashed(demoPassword)
      for (const person of missing) addHashed(person, password)
    },
    /**
     * Returns the person for an email that a third party vouches for, adding them if needed. If the email was
     * registered before but never verified, its password is removed: someone else may have set it.
     */
    async enterByProof({ email, name }: { email: string; name: string }): Promise<Person> {
      const known =
        findByEmail(email) ?? (await add({ email, name, password: null, isEmailVerified: true })) ?? findByEmail(email)
      if (!known) throw new Error(`${email} was neither found nor added.`)
      return known.isEmailVerified ? known : keep({ ...known, isEmailVerified: true, password: null })
    },
    /** Returns the person with this email and password. An unknown email takes as long as a wrong password. */
    async check(email: string, password: string): Promise<Person | undefined> {
      const person = findByEmail(email)
      const isRight = await matches(person?.password ?? nobodys, password)
      return isRight ? person : undefined
    },
    async changePassword(person: Person, password: string): Promise<void> {
      const fresh = await hashed(password)
      keep({ ...person, password: fresh })
    },
    rename: (person: Person, name: string) => keep({ ...person, name }),
    /** Creates the code for the verification mail. */
    newVerification(person: Person): string {
      const code = newId('', 32)
      codes.put(code, person.id)
      return code
    },
    /**
     * Returns the person a verification code was sent to. Reusable, because mail programs open links before the reader
     * does.
     */
    verify(code: string): Person | undefined {
      const id = codes.get(code)
      const person = id === undefined ? undefined : people.get(id)
      return person && keep({ ...person, isEmailVerified: true })
    },
  }
}

/** A sandbox has no password worth more work than this, and tests sign in thousands of times. */
const cost = 2 ** 11

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

async function hashed(password: string): Promise<{ salt: string; hash: string }> {
  const salt = randomBytes(16)
  return { salt: salt.toString('base64url'), hash: (await derive(password, salt, 32, { cost })).toString('base64url') }
}

/** Compared against for unknown emails; no known password has this hash. */
const nobodys = { salt: randomBytes(16).toString('base64url'), hash: randomBytes(32).toString('base64url') }

async function matches({ salt, hash }: { salt: string; hash: string }, password: string): Promise<boolean> {
  return timingSafeEqual(
    await derive(password, Buffer.from(salt, 'base64url'), 32, { cost }),
    Buffer.from(hash, 'base64url'),
  )
}
