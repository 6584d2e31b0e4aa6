-- Run once, when the volume is empty: the sign-in service keeps its people apart from the store.
create database keycloak;
