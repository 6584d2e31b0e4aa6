/** Everything a search could mean, in one round trip: each kind by its own index, typing errors forgiven by trigrams. */
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '#platform/db.ts'
import type { SearchQuery } from './search-query.ts'
import type { Matches } from './search-matches.ts'

/** Up to six matches of each kind, the best first. */
export async function selectMatches(db: Database, query: SearchQuery): Promise<Matches> {
  const { year, size, sizeDigits, sizeLetters, number, zip } = query
  const typedLength = Math.max(1, query.words.join('').length)
  const { rows } = await sql<Matches>`
    with recursive term as (select term, 0.8 + 0.2 * length(term) / ${typedLength}::numeric as share from unnest(${[...query.terms]}::text[]) term),
    -- Every make by one probe of the index each.
    make as (
      (select make_slug, make from vehicle order by make_slug limit 1)
      union all
      select next.* from make, lateral (select make_slug, make from vehicle where vehicle.make_slug > make.make_slug order by make_slug limit 1) next),
    make_match as (
      select make_slug as slug, min(make) as name, max(${score('make_slug')}) as score from make join term on ${meets('make_slug')} group by make_slug),
    model_match as (
      select make_slug, model_slug, min(make) as make, min(model) as model, min(first_year) as first_year, max(last_year) as last_year, bool_or(sized) as sized,
        max(score) as score, max(score) + coalesce((select score from make_match where slug = make_slug), 0) as rank
      from (
        select make_slug, model_slug, make, model, year as first_year, year as last_year, true as sized, ${score('model_slug')} as score
        from term join vehicle on ${meets('model_slug')} where ${year}::int is null or year = ${year}::int
        union all
        -- Behind a make even one letter begins a model.
        select make_slug, model_slug, v.make, model, year, year, true, 0.6
        from make_match m join vehicle v on v.make_slug = m.slug join term on length(term) = 1 and starts_with(model_slug, term)
        where m.score >= 0.5 and (${year}::int is null or year = ${year}::int)
        union all
        select make_slug, model_slug, make, model, first_year, last_year, false, ${score('model_slug')}
        from term join known_model on ${meets('model_slug')} where ${year}::int is null or ${year}::int between first_year and last_year) named
      group by make_slug, model_slug order by rank desc, sized desc, count(*) desc, model_slug limit 6),
    brand_match as (select b.id, b.slug, b.name, max(${score('b.slug')}) as score from brand b join term on ${meets('b.slug')} group by b.id),
    line_match as (
      select id, max(score) as score from (
        select l.id, ${score('l.slug')} as score from term join product_line l on ${meets('l.slug')}
        union all
        select l.id, ${firstWordScore('l.slug')} from term join product_line l on ${meetsFirstWord('l.slug')}
        union all
        -- A brand alone stands for its best-known lines.
        (select l.id, 0.4 from brand_match m join product_line l on l.brand_id = m.id left join line_rating r on r.product_line_id = l.id
          where m.score >= 0.7 order by r.review_count desc nulls last, l.id limit 4)) named
      group by id)
    select
      ${list(sql`
        select slug, designation, slug = ${size}::text as "isWhole" from size
        where (slug = ${size}::text or starts_with(designation, ${sizeLetters}::text) and starts_with(regexp_replace(designation, '[^0-9]', '', 'g'), ${sizeDigits}::text))
          and exists (select from item where item.size_id = size.id and item.active)
        order by slug = ${size}::text desc nulls last, (select count(*) from oe_fitment where front_size = designation) desc, designation limit 6`)} as sizes,
      ${list(sql`
        select slug, name, score, (select count(*) from product_line where brand_id = m.id) as lines from brand_match m order by score desc, slug limit 6`)} as brands,
      ${list(sql`
        select l.slug, l.name, m.score, b.slug as "brandSlug", b.name as "brandName", c.name as category
        from line_match m join product_line l on l.id = m.id join brand b on b.id = l.brand_id join category c on c.slug = l.category_slug
        left join line_rating r on r.product_line_id = l.id left join brand_match bm on bm.id = b.id
        where exists (select from item where item.product_line_id = l.id and item.active)
        order by m.score + coalesce(bm.score, 0) desc, r.review_count desc nulls last, l.id limit 6`)} as lines,
      ${list(sql`
        select kind.of, kind.slug, min(kind.name) as name, max(${score('kind.slug')}) as score
        from (select 'type' as of, slug, name, position from tire_type union all select 'category', slug, name, 100 + position from category) kind join term on ${meets('kind.slug')}
        group by kind.of, kind.slug order by score desc, min(position) limit 6`)} as kinds,
      ${list(sql`select * from make_match order by score desc, slug limit 6`)} as makes,
      ${list(sql`
        select make_slug as "makeSlug", make, model_slug as "modelSlug", model, first_year as "firstYear", last_year as "lastYear", sized as "hasSizes", score,
          ${list(sql`select trim_slug as slug, trim as name from vehicle v where v.year = ${year}::int and v.make_slug = m.make_slug and v.model_slug = m.model_slug order by trim`)} as trims
        from model_match m order by rank desc, sized desc, model_slug`)} as models,
      ${list(sql`
        select i.id, b.slug as "brandSlug", b.name as "brandName", l.slug as "lineSlug", l.name as "lineName", s.designation as size
        from item i join product_line l on l.id = i.product_line_id join brand b on b.id = l.brand_id join size s on s.id = i.size_id
        where i.active and (i.id = ${number}::int or i.sku = upper(${query.text}))`)} as items,
      ${list(sql`
        select slug, code, name, city, state, max(named.score) as score from (
          select id, ${score('slug')} as score from term join shop on ${meets('slug')} where active
          union all
          select id, ${firstWordScore('slug')} from term join shop on ${meetsFirstWord('slug')} where active) named
        join shop using (id) group by shop.id order by score desc, shop.id limit 6`)} as shops,
      ${list(sql`select zip, city, state from zip where zip = ${zip}::text`)} as zips`.execute(db)
  const [matches] = rows
  if (!matches) throw new Error('A select without a table gives one row.')
  return matches
}

function list(rows: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(entry), '[]') from (${rows}) entry)`
}

function typed(slug: string): RawBuilder<unknown> {
  return sql`replace(${sql.ref(slug)}, '-', '')`
}

/** One of the two the trigram index answers. A single letter or digit must be the whole name. */
function meets(slug: string): RawBuilder<unknown> {
  return sql`(${typed(slug)} % term or length(term) > 1 and ${typed(slug)} like term || '%')`
}

/** See `Scored`; a term that is most of what was typed says more than a part of it. */
function score(slug: string): RawBuilder<unknown> {
  return sql`share * case when ${typed(slug)} = term then 1
    when length(term) > 1 and starts_with(${typed(slug)}, term) then 0.7 + 0.25 * length(term) / length(${typed(slug)})
    else similarity(${typed(slug)}, term)::numeric end`
}

function meetsFirstWord(slug: string): RawBuilder<unknown> {
  return sql`split_part(${sql.ref(slug)}, '-', 1) % term`
}

function firstWordScore(slug: string): RawBuilder<unknown> {
  return sql`0.9 * share * similarity(split_part(${sql.ref(slug)}, '-', 1), term)::numeric`
}
