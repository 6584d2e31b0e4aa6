/** The lists of the back office as files: a header, and rows read page by page as the pages of the list are. */
import { listCompaniesPage, listWaitingExemptions } from '#domain/companies/companies.server.ts'
import { companyStates, kindNames } from '#domain/companies/companies.ts'
import { listBounces } from '#domain/messages/messages.server.ts'
import { orderNumber } from '#domain/orders/orders.ts'
import { causeLabels, claimNumber, claimStates } from '#domain/coverage-claims/coverage-claims.ts'
import { listClaims } from '#domain/coverage-claims/coverage-claims.server.ts'
import { listGuarantees } from '#domain/price-guarantee/price-guarantee.server.ts'
import { guaranteeNumber, guaranteeStates } from '#domain/price-guarantee/price-guarantee.ts'
import { listApplications, listEmployers } from '#domain/programs/programs.server.ts'
import { listQuotes } from '#domain/quotes/quotes.server.ts'
import { authorText, quoteNumber, quoteStateNames } from '#domain/quotes/quotes.ts'
import { listedReasons, refundBearers, refundMoneyNames } from '#domain/refunds/refunds.ts'
import { listRefunds } from '#domain/refunds/refunds.server.ts'
import { selectReturns } from '#domain/returns/returns.server.ts'
import { returnNumber, returnReasonWords, returnStateWords, returnTireStates } from '#domain/returns/returns.ts'
import { listForModeration } from '#domain/reviews/reviews.server.ts'
import { reviewStates } from '#domain/reviews/reviews.ts'
import { listSettingChanges } from '#domain/settings/settings.server.ts'
import { acts, isAct, staffRoleNames, type OfficeListName } from '#domain/staff/staff.ts'
import { listAudit, listGrants } from '#domain/staff/staff.server.ts'
import { listRequests, listTemplates } from '#domain/support/support.server.ts'
import { requestNumber } from '#domain/support/support.ts'
import { auditQueryOf, readAuditAsked } from './office-audit.ts'
import { readMessagesAsked } from './office-messages.ts'
import { atOnce, dollars, inPages, time, timed, type Cell, type OfficeFile } from './office-file.server.ts'
import { goodsFiles } from './office-goods-files.server.ts'
import { shopFiles } from './office-shop-files.server.ts'
import { jobFiles } from './office-job-files.server.ts'
import { readContentRows } from './office-content.server.ts'
import { readQuotesQuery } from './office-quotes.ts'
import { readRefundsAsked, refundQueryOf } from './office-refunds.ts'

/** The lists whose file has filters or columns of its own, and its own route. */
type OwnFile = 'orders' | 'reports' | 'promotions' | 'coupons' | 'price-lists' | 'map-prices' | 'catalog' | 'imports'

const perBatch = 500

export const officeFiles: Readonly<Record<Exclude<OfficeListName, OwnFile>, OfficeFile>> = {
  ...goodsFiles,
  ...shopFiles,
  ...jobFiles,
  returns: {
    header: ['Return', 'Order', 'Customer', 'Tires', 'Reason', 'States', timed('Requested')],
    batches: (shop, query, { customers }) => {
      const state = returnTireStates.find((one) => one === query.get('state')) ?? null
      return inPages<number>(async (before) => {
        const found = await selectReturns(shop.db, { state, before, limit: perBatch })
        return {
          rows: found.map(({ id, orderId, name, states, reason, requestedAt }) => [
            returnNumber(id),
            orderNumber(orderId),
            customers.show(name),
            states.length,
            returnReasonWords[reason],
            [...new Set(states)].map((one) => returnStateWords[one]).join('; '),
            time(requestedAt),
          ]),
          next: found.length < perBatch ? null : (found.at(-1)?.id ?? null),
        }
      })
    },
  },
  refunds: {
    header: [
      timed('When'),
      'Order',
      'Customer',
      'Company',
      'Reason',
      'Borne by',
      'Made by',
      'State',
      'Provider said',
      'Amount in dollars',
    ],
    batches: (shop, query) => {
      const asked = refundQueryOf(readRefundsAsked(query))
      return inPages<NonNullable<Awaited<ReturnType<typeof listRefunds>>['next']>>(async (after) => {
        const { refunds, next } = await listRefunds(shop, asked, { after, limit: perBatch })
        return {
          rows: refunds.map((refund) => [
            time(refund.at),
            orderNumber(refund.orderId),
            refund.customer,
            refund.company,
            listedReasons[refund.reason],
            refundBearers[refund.bearer],
            refund.by ?? 'The store',
            refundMoneyNames[refund.money],
            refund.said,
            dollars(refund.amountCents),
          ]),
          next,
        }
      })
    },
  },
  quotes: {
    header: ['Quote', 'State', 'Customer', 'Email', 'By', 'Tires', 'Total in dollars', timed('Ends'), 'Order'],
    batches: (shop, query) => {
      const asked = readQuotesQuery(query)
      return inPages<number>(async (before) => {
        const { quotes, next } = await listQuotes(shop, { ...asked, before })
        return {
          rows: quotes.map(({ id, state, name, email, author, tires, totalCents, expiresAt, orderId }) => [
            quoteNumber(id),
            quoteStateNames[state],
            name,
            email,
            authorText(author),
            tires,
            dollars(totalCents),
            time(expiresAt),
            orderId === null ? null : orderNumber(orderId),
          ]),
          next,
        }
      })
    },
  },
  companies: {
    header: ['Company', 'Kind', 'State', 'Phone', 'Vehicles', 'Net days', 'Credit limit in dollars', timed('Applied')],
    batches: (shop, query) => {
      const state = companyStates.find((each) => each === query.get('state')) ?? 'applied'
      return inPages<NonNullable<Awaited<ReturnType<typeof listCompaniesPage>>['next']>>(async (after) => {
        const { companies, next } = await listCompaniesPage(shop, { state, after })
        return {
          rows: companies.map(({ name, kind, phone, vehicles, terms, appliedAt }) => [
            name,
            kindNames[kind],
            state,
            phone,
            vehicles,
            terms?.netDays ?? null,
            dollars(terms?.creditLimitCents ?? null),
            time(appliedAt),
          ]),
          next,
        }
      })
    },
  },
  certificates: {
    header: ['Company', 'State', 'Certificate', 'Expires', timed('Sent')],
    batches: (shop) =>
      atOnce(listWaitingExemptions(shop), ({ company, state, number, expiresOn, sentAt }) => [
        company,
        state,
        number,
        expiresOn.toString(),
        time(sentAt),
      ]),
  },
  partners: {
    header: ['Kind', 'Business', 'Contact', 'Email', 'Phone', 'People', 'Channel', 'Message', timed('Received')],
    batches: (shop) =>
      atOnce(listApplications(shop), ({ received_at: at, ...asked }) => [
        asked.kind,
        asked.business,
        asked.name,
        asked.email,
        asked.phone,
        asked.people,
        asked.channel,
        asked.message,
        time(at),
      ]),
  },
  employers: {
    header: ['Domain', 'Employer', timed('Since')],
    batches: (shop) => atOnce(listEmployers(shop), ({ domain, employer, since }) => [domain, employer, time(since)]),
  },
  messages: {
    header: ['Number', 'Kind', 'From', 'Email', 'About', 'State', 'Assigned to', timed('Sent'), timed('Waiting since')],
    batches: (shop, query, { email: reader }) => {
      const { show, kind, mine } = readMessagesAsked(query)
      const list = { show: show ?? ('waiting' as const), kind: kind ?? null, assignedTo: mine ? reader : null }
      return inPages<NonNullable<Awaited<ReturnType<typeof listRequests>>['next']>>(async (after) => {
        const { requests, next } = await listRequests(shop, list, after)
        return {
          rows: requests.map((request) => [
            requestNumber(request.id),
            request.kind,
            request.name,
            request.email,
            request.subject,
            request.state,
            request.assignedTo,
            time(request.createdAt),
            time(request.waitingSince),
          ]),
          next,
        }
      })
    },
  },
  bounces: {
    header: ['Email', 'Order', 'What their server said', timed('When')],
    batches: (shop) =>
      inPages<number>(async (after) => {
        const found = await listBounces(shop, after ?? 0)
        return {
          rows: found.map(({ email, orderId, detail, blockedAt }) => [
            email,
            orderId === null ? null : orderNumber(orderId),
            detail,
            time(blockedAt),
          ]),
          next: found.at(-1)?.id ?? null,
        }
      }),
  },
  templates: {
    header: ['Name', 'Text', 'Changed by', timed('Changed')],
    batches: (shop) =>
      atOnce(listTemplates(shop), ({ name, body, changedBy, changedAt }) => [name, body, changedBy, time(changedAt)]),
  },
  guarantees: {
    header: ['Request', 'Order', 'Tires', 'Quantity', 'Seen at', 'Difference in dollars', timed('Received')],
    batches: (shop, query) => {
      const state = guaranteeStates.find((each) => each === query.get('state')) ?? 'open'
      return inPages<number>(async (before) => {
        const { requests, next } = await listGuarantees(shop, { state, before })
        return {
          rows: requests.map((one) => [
            guaranteeNumber(one.id),
            one.orderId === null ? null : orderNumber(one.orderId),
            one.tire,
            one.quantity,
            one.competitor,
            dollars(one.differenceCents ?? one.suggestedCents),
            time(one.createdAt),
          ]),
          next,
        }
      })
    },
  },
  claims: {
    header: ['Claim', 'Order', 'Tires', 'Quantity', 'Cause', 'Dollars, at most or given', timed('Received')],
    batches: (shop, query) => {
      const state = claimStates.find((each) => each === query.get('state')) ?? 'open'
      return inPages<number>(async (before) => {
        const { claims, next } = await listClaims(shop, { state, before })
        return {
          rows: claims.map((one) => [
            claimNumber(one.id),
            orderNumber(one.orderId),
            one.tire,
            one.tires,
            causeLabels[one.cause],
            dollars(one.givenCents ?? one.mostCents),
            time(one.createdAt),
          ]),
          next,
        }
      })
    },
  },
  reviews: {
    header: ['Review', 'Tire', 'Author', 'Summary', 'Text', 'Held for', 'Refused for', timed('Written')],
    batches: (shop, query) => {
      const state = reviewStates.find((each) => each === query.get('state')) ?? 'waiting'
      return inPages<NonNullable<Awaited<ReturnType<typeof listForModeration>>['next']>>(async (after) => {
        const { reviews, next } = await listForModeration(shop, { state, after })
        return {
          rows: reviews.map((review) => [
            review.id,
            `${review.brandName} ${review.lineName}`,
            review.author,
            review.summary,
            review.comments,
            review.heldFor.join('; '),
            review.refusedFor,
            time(review.writtenAt),
          ]),
          next,
        }
      })
    },
  },
  content: {
    header: ['Page', 'Address', 'Kind', 'Published', timed('Since'), 'By', timed('Next version')],
    batches: (shop) =>
      atOnce(readContentRows(shop), ({ title, address, kind, version, since, by, nextAt }) => [
        title,
        address,
        kind,
        version,
        time(since),
        by,
        time(nextAt),
      ]),
  },
  staff: {
    header: ['Email', 'Role', 'Invited by', timed('Invited'), timed('Ends'), timed('Revoked'), 'Revoked by', 'Reason'],
    batches: (shop) =>
      atOnce(listGrants(shop), (grant) => [
        grant.email,
        staffRoleNames[grant.role],
        grant.invitedBy,
        time(grant.invitedAt),
        time(grant.expiresAt),
        time(grant.revokedAt),
        grant.revokedBy,
        grant.revokeReason,
      ]),
  },
  audit: {
    header: [timed('When'), 'Staff member', 'Via', 'Act', 'Subject', 'Before', 'After', 'Reason'],
    batches: (shop, query) => {
      const asked = auditQueryOf(readAuditAsked(query))
      return inPages<number>(async (before) => {
        const { entries, next } = await listAudit(shop, { ...asked, before })
        return {
          rows: entries.map(({ at, actor, via, act, subject, before: was, after, reason }) => [
            time(at),
            actor,
            via,
            isAct(act) ? acts[act] : act,
            subject,
            was === null ? null : JSON.stringify(was),
            after === null ? null : JSON.stringify(after),
            reason,
          ]),
          next,
        }
      })
    },
  },
  settings: {
    header: ['Setting', 'Before', 'After', 'Changed by', timed('Changed')],
    batches: (shop) =>
      inPages<number>(async (before) => {
        const { changes, next } = await listSettingChanges(shop, before)
        return {
          rows: changes.map(({ name, was, value, by, at }) => [name, textOf(was), textOf(value), by, time(at)]),
          next,
        }
      }),
  },
}

function textOf(value: unknown): Cell {
  return value === null || typeof value === 'string' ? value : JSON.stringify(value)
}

/** The file of a list; undefined for one that has a route of its own, and for any other word. */
export function officeFileOf(list: string): (OfficeFile & { list: OfficeListName }) | undefined {
  return Object.hasOwn(officeFiles, list)
    ? { list: list as Exclude<OfficeListName, OwnFile>, ...officeFiles[list as Exclude<OfficeListName, OwnFile>] }
    : undefined
}
