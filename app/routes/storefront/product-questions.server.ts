/** Answers common questions about a tire from its data. Leaves out questions that the data can't answer. */
import { capabilities } from '#app/content/capabilities.ts'
import { paths } from '#content/paths.ts'
import { oldestInStock, serviceOf, unitsOf, warrantyOf, type Item } from '#domain/catalog/catalog/catalog.ts'
import { type FitmentVerdict, type Level } from '#domain/catalog/fitment/fitment.ts'
import { grouped, loadOf, speedOf } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { countOf } from '#platform/count-text.ts'
import type { LinkView } from './product-view.ts'

export type QuestionView = { question: string; answer: string; link: LinkView | null }

export type Asked = {
  item: Item
  /** The shopper's vehicle and the fitment result of a full set. Null if no vehicle is selected. */
  vehicle: { name: string; path: string; verdict: FitmentVerdict | null } | null
  /** The maximum age of a tire for sale, in years. */
  maxAgeYears: number
  /** Years and models that came with the size, best-selling first: "2021 Toyota RAV4". */
  cameOn: readonly { name: string; path: string }[]
}

/** The questions in display order. Those that do not apply to this tire are omitted. */
export function tireQuestions(asked: Asked): QuestionView[] {
  const { item } = asked
  return [
    fits(asked),
    snow(item),
    lasts(item),
    carries(item),
    wheels(item),
    pair(item),
    runFlat(item),
    age(asked),
    payLater,
  ].filter((each) => each !== null)
}

function fits({ item, vehicle, cameOn }: Asked): QuestionView {
  if (vehicle?.verdict)
    return {
      question: `Does it fit my ${vehicle.name}?`,
      answer: verdictWords[vehicle.verdict.verdict](vehicle.verdict),
      link: { label: `All tires for your ${vehicle.name}`, path: vehicle.path },
    }
  const size = item.size.designation
  const [first] = cameOn
  if (!first)
    return {
      question: 'Does it fit my car?',
      answer: `It fits if your door label shows ${size} and requires ${serviceOf(item) || 'no more than this tire gives'} or less. Tell us what you drive and we check it.`,
      link: { label: 'Check my vehicle', path: paths.find() },
    }
  const others = cameOn.slice(1).map(({ name }) => name)
  return {
    question: `Does it fit a ${first.name}?`,
    answer: `${size} is a size listed for the ${first.name}${others.length > 0 ? `, and for the ${listed(others)}` : ''}. Trims differ: the label at the driver’s door settles it, with the load and the speed it asks for.`,
    link: { label: `Tires for the ${first.name}`, path: first.path },
  }
}

const verdictWords: Record<Level, (verdict: FitmentVerdict) => string> = {
  fits: () => 'Yes: size, load and speed match the door label you confirmed.',
  fits_with_conditions: ({ source, conditions }) =>
    `${source === 'placard' ? 'Yes, on these conditions:' : 'Listed, not confirmed yet.'} ${conditions.map(({ text }) => text).join(' ')}`,
  unknown: ({ findings }) =>
    `We can’t say yet. ${findings.find(({ level }) => level === 'unknown')?.text ?? ''}`.trimEnd(),
  does_not_fit: ({ findings }) => `No. ${findings.find(({ level }) => level === 'does_not_fit')?.text ?? ''}`.trimEnd(),
}

/** M+S without the mountain symbol never means severe snow (rule FR40). */
function snow({ line: { threePeak, mPlusS, winter } }: Item): QuestionView {
  const question = 'Is it for snow?'
  const link = { label: 'What the marks on a sidewall mean', path: paths.sidewallGuide() }
  if (threePeak && winter)
    return {
      question,
      answer:
        'Yes. It is a winter tire and carries the three-peak mountain snowflake. Use four, and take them off in spring.',
      link,
    }
  if (threePeak)
    return {
      question,
      answer: 'Yes. It carries the three-peak mountain snowflake for severe snow, and may stay on all year.',
      link,
    }
  if (mPlusS)
    return {
      question,
      answer:
        'For light snow only. It is marked M+S, which isn’t a snow rating. For deep snow, look for the mountain and snowflake symbol.',
      link,
    }
  return {
    question,
    answer: 'No. It carries no mark for snow. Its rubber hardens below freezing, so switch to other tires for winter.',
    link,
  }
}

function lasts(item: Item): QuestionView {
  const miles = warrantyOf(item)
  const warranty =
    miles === null
      ? 'Its maker gives no mileage warranty.'
      : `Its maker warrants ${countOf(miles, 'mile')} of tread, half of that where front and rear sizes differ.`
  const grade =
    item.utqg === null ? '' : ` Its treadwear grade is ${item.utqg.treadwear}; the tire it is measured against has 100.`
  return {
    question: 'How long does it last?',
    answer: `${warranty}${grade} It comes with ${item.treadDepth32nds}/32 inch of tread and is worn out at 2/32.`,
    link: { label: 'What the warranties cover', path: paths.warranties(item.id) },
  }
}

function carries({ loadIndex, speed, maxPsi }: Item): QuestionView | null {
  const load = loadOf(loadIndex ?? undefined)
  if (!load) return null
  const limit = speedOf(speed ?? undefined)
  const pace = limit ? `, at up to ${limit.mph} mph` : ''
  return {
    question: 'How much weight does it carry?',
    answer: `${grouped(load.lb)} lb each at full pressure, ${grouped(load.lb * 4)} lb for four${pace}. The pressure to drive with is on your door label; never more than the ${maxPsi} psi on the sidewall.`,
    link: null,
  }
}

function wheels({ size, rimWidthMinIn, rimWidthMaxIn }: Item): QuestionView {
  return {
    question: 'Which wheels does it go on?',
    answer: `Wheels of ${size.rimIn} inch, ${rimWidthMinIn} to ${rimWidthMaxIn} inch wide. Both figures are cast inside the spoke, like ${size.rimIn}x${rimWidthMinIn}.`,
    link: { label: `All tires for ${size.rimIn} inch wheels`, path: paths.diameter(String(size.rimIn)) },
  }
}

function pair({ line }: Item): QuestionView {
  const answer = line.winter
    ? 'Winter tires go on all four wheels, or the axle without them loses grip first.'
    : 'Yes, as a pair: the two new ones go on the rear axle, whichever axle drives. An all-wheel drive takes two only if the other two are the same model with nearly as much tread; else it needs four.'
  return { question: 'Can I buy just two?', answer, link: null }
}

function runFlat({ runFlat: is }: Item): QuestionView | null {
  if (!is) return null
  return {
    question: 'What is a run-flat?',
    answer:
      'It holds the car for a short way without air. It requires tire-pressure monitoring and a full set of four.',
    link: null,
  }
}

function age({ item, maxAgeYears }: Asked): QuestionView | null {
  const question = 'How old are the tires you send?'
  if (unitsOf(item) === 0)
    return {
      question,
      answer: `This tire is out of stock right now. We don’t sell tires older than ${countOf(maxAgeYears, 'year')}.`,
      link: null,
    }
  const oldest = oldestInStock(item)
  if (oldest === null) return null
  const monday = Temporal.PlainDate.from(oldest)
  return {
    question,
    answer: `The oldest one in stock was made in week ${monday.weekOfYear} of ${monday.yearOfWeek}. The last four digits of the DOT number on the sidewall say so.`,
    link: null,
  }
}

/** Matches the checkout. The linked page has the details. */
const payLater: QuestionView = {
  question: 'Can I pay later?',
  answer: capabilities.payLater
    ? 'Yes, in installments.'
    : 'Not yet. Cards are open now, and companies with terms order on an invoice.',
  link: { label: 'Ways to pay', path: paths.written('financing') },
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
