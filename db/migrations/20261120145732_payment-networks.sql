-- Where a charge was opened from, as a key that only the store can make: declined cards are counted by it.
alter table payment add column network_key text check (length(network_key) <= 64);
