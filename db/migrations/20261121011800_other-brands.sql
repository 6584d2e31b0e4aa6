-- Brands of tires that people ask for and the store may not sell: the search says so and offers what is of their class.
create table other_brand (
  slug text primary key,
  name text not null,
  tier text not null check (tier in ('premium', 'mid', 'value', 'commercial', 'trailer', 'off-road'))
);
