/** Consent, stop words, and quiet hours for text messages. Safe in the browser. */
import { storeZone } from '#platform/store-zone.ts'
import { countOf } from '#platform/count-text.ts'
import type { Transitions } from '#platform/transitions.ts'

export type TextKind =
  | 'confirm-request'
  | 'welcome'
  | 'shipped'
  | 'delivered'
  | 'appointment-reminder'
  | 'appointment-soon'
  | 'quote'
  | 'earlier-time'
  | 'recall'
  | 'staff'
  | 'shop-news'
  | 'shop-late'
export type TextState = 'queued' | 'sending' | 'sent' | 'delivered' | 'undelivered' | 'failed' | 'dropped'
export type ConsentState = 'asked' | 'confirmed' | 'stopped'

/** The maximum length of sent or stored text messages in characters. It is Twilio's limit across segments. */
export const longestText = 1_600

export const textLife: Transitions<TextState> = {
  queued: ['sending', 'dropped'],
  sending: ['sent', 'failed', 'dropped', 'delivered', 'undelivered'],
  sent: ['delivered', 'undelivered', 'failed'],
  delivered: [],
  undelivered: [],
  failed: [],
  dropped: [],
}

/** The version of `consentWords`, stored with each consent. Raise it with every change of the words. */
export const consentWording = 2

/** The maximum messages per order in the consent, excluding replies to the customer's own messages. */
export const textsPerOrder = 6

/**
 * The consent text next to the box or button, stored verbatim with the consent. Followed by links to terms and privacy.
 */
export function consentWords(store: string): string {
  return `${store} may text me about my orders, including shipping, delivery, appointments, and requested quotes. Up to ${countOf(textsPerOrder, 'message')} per order. Message and data rates may apply. Reply STOP to stop, HELP for help. Agreeing is not a condition of buying.`
}

/** The version of `teamConsentWords`. It shares the numbers of `consentWording`, which skips it. */
export const teamConsentWording = 3

/** The consent text next to the button in the portal. A shop's team member agrees to exactly this text. */
export function teamConsentWords(store: string): string {
  return `${store} may text me about appointments at my shop: new, moved and canceled appointments and late customers, one message for each. Message and data rates may apply. Reply STOP to stop, HELP for help. Agreeing is not required for working at the shop.`
}

const stopWords = new Set(['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'])
const startWords = new Set(['START', 'UNSTOP'])
const yesWords = new Set(['YES', 'Y'])

/** Parses an incoming text message's keyword. The provider replies to stop, start and help. */
export function wishOf(body: string): 'stop' | 'start' | 'yes' | 'help' | 'other' {
  // No word we look for is longer than this with its punctuation.
  const word = body
    .trim()
    .slice(0, 40)
    .toUpperCase()
    .replaceAll(/[.!"']/g, '')
  if (stopWords.has(word)) return 'stop'
  if (startWords.has(word)) return 'start'
  if (yesWords.has(word)) return 'yes'
  return word === 'HELP' || word === 'INFO' ? 'help' : 'other'
}

/** A ten-digit US number as providers write it: "+13125550142". Undefined for one that cannot get texts. */
export function textNumber(phone: string): string | undefined {
  const digits = phone.replace(/\D/g, '').replace(/^1(?=\d{10}$)/, '')
  return /^[2-9]\d{2}[2-9]\d{6}$/.test(digits) ? `+1${digits}` : undefined
}

/**
 * No text is sent before nine in the morning or from eight in the evening at the recipient. Federal law allows calls
 * from 8 to 21 (47 CFR 64.1200(c)(1)); states are narrower, among them Connecticut, 9 to 20 (Conn. Gen. Stat. 42-288a),
 * and Florida, 8 to 20 (Fla. Stat. 501.059). One window within all of these is kept everywhere.
 */
export const sendFromHour = 9
export const sendUntilHour = 20

/** Returns when a text message may be sent to a phone in `zone`, either `now` or the next morning. */
export function nextSendTime(now: Temporal.Instant, zone: string): Temporal.Instant {
  const local = now.toZonedDateTimeISO(zone)
  if (local.hour >= sendFromHour && local.hour < sendUntilHour) return now
  const day = local.hour < sendFromHour ? local.toPlainDate() : local.toPlainDate().add({ days: 1 })
  return day.toZonedDateTime({ timeZone: zone, plainTime: { hour: sendFromHour } }).toInstant()
}

/**
 * Returns the time zone of a phone's area code, otherwise of the ZIP code, otherwise of the store. People keep their
 * number when they move.
 */
export function zoneOfPhone(phone: string, zipZone: string | null): string {
  return areaZones.get(phone.slice(2, 5)) ?? zipZone ?? storeZone
}

/**
 * Area codes by time zone, from the North American Numbering Plan Administrator's list. Excludes codes that span two
 * time zones; their ZIP code decides.
 */
const codesByZone: Readonly<Record<string, string>> = {
  'America/New_York':
    '201 202 203 207 212 215 216 220 223 229 234 239 240 252 267 272 276 283 301 302 304 305 313 315 321 326 330 332 336 339 347 351 352 380 386 401 404 407 410 412 413 419 434 440 443 445 470 475 478 484 508 513 516 517 518 540 551 561 567 570 571 585 586 603 607 609 610 614 616 617 631 640 646 656 667 678 680 681 689 703 704 706 716 717 718 724 726 727 728 732 734 740 743 754 757 762 770 771 772 774 781 786 802 803 804 810 813 814 821 826 828 835 838 839 843 845 848 854 856 857 859 860 862 863 864 878 904 908 910 912 914 917 919 929 934 937 941 943 947 948 954 959 973 978 980 984 989',
  'America/Chicago':
    '205 210 214 217 218 224 225 228 251 254 256 262 281 309 312 314 316 318 319 320 325 331 334 337 346 361 402 405 409 414 417 430 432 447 464 469 479 501 504 507 512 515 531 534 539 557 563 572 573 580 601 608 612 615 618 620 629 630 636 641 651 659 660 662 682 708 712 713 715 730 731 737 763 769 773 779 806 815 816 817 830 832 847 861 870 872 901 903 913 918 920 924 936 938 940 945 952 956 972 975 979 985',
  'America/Denver': '303 307 385 406 435 505 575 719 720 801 970 983',
  'America/Phoenix': '480 520 602 623 928',
  'America/Los_Angeles':
    '206 209 213 253 279 310 323 341 350 360 408 415 424 425 442 503 509 510 530 559 562 564 619 626 628 650 657 661 669 702 707 714 725 747 760 775 805 818 820 831 840 858 909 916 925 949 951 971',
  'America/Anchorage': '907',
  'Pacific/Honolulu': '808',
  'America/Puerto_Rico': '787 939',
}
const areaZones = new Map(
  Object.entries(codesByZone).flatMap(([zone, codes]) => codes.split(' ').map((code) => [code, zone] as const)),
)
