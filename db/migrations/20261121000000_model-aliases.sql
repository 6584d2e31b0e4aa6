-- Other names of models: "F-250" for the F-250 Super Duty, "330i" for the 3 Series. A name may stand for several ("Silverado").
create table model_alias (
  make_slug text not null,
  alias_slug text not null,
  alias text not null,
  -- Of another make where a name was: Dodge's "Ram 1500" is Ram's "1500" from 2011.
  model_make_slug text not null,
  model_slug text not null,
  -- Years in which the name stands for the model; null is open.
  first_year smallint,
  last_year smallint,
  primary key (make_slug, alias_slug, model_make_slug, model_slug),
  check ((make_slug, alias_slug) <> (model_make_slug, model_slug)),
  check (first_year <= last_year)
);
