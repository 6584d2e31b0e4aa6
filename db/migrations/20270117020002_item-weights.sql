-- Counts the tires for sale above a weight, for exceptions of shipping rates, without reading the whole catalog.
create index item_by_weight on item (weight_lb) where active;
