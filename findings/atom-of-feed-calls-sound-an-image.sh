#!/usr/bin/env bash
# Behaviour  The Atom of feed says that an MP3 is of type image/mp3, whatever type was given, and its categories have no term: readers lose them.
# Package    feed 6.0.0 writes; read by @rowanmanning/feed-parser 2.1.5, feedsmith 3.0.1. Its RSS is right, and so is the Atom of feedsmith 3.0.1
# Source     lib/feed.js writes image/ and the ending of the address as the type. In Atom (RFC 4287, 4.2.2.2) a category must have `term`; feed writes the name as
#            `label`, and a term only where one is given besides.
# Met by     Blogs and podcasts that publish both forms from one object: players skip the sound in Atom, and tags are missing.
# Do         Give categories `term` as well as `name`. Publish sound as RSS.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install feed@6.0.0 feedsmith@3.0.1 @rowanmanning/feed-parser@2.1.5
check <<'JS'
import { parseFeed as parseRowan } from '@rowanmanning/feed-parser';
import { Feed } from 'feed';
import { generateAtomFeed } from 'feedsmith';
import { finding } from './finding.mjs';

const date = new Date('2026-05-01T09:00:00Z');
const sound = { url: 'https://x.example/a.mp3', type: 'audio/mpeg', length: 5 };
const feed = new Feed({ title: 'Feed', id: 'https://x.example/', link: 'https://x.example/', copyright: 'Ann', updated: date });
feed.addItem({ title: 'One', id: 'https://x.example/1', link: 'https://x.example/1', date, category: [{ name: 'News' }], enclosure: sound });
const links = [{ href: 'https://x.example/1' }, { href: sound.url, rel: 'enclosure', type: sound.type, length: sound.length }];
const feeds = {
  'RSS of feed': feed.rss2(),
  'Atom of feed': feed.atom1(),
  'Atom of feedsmith': generateAtomFeed({ title: { value: 'Feed' }, id: 'https://x.example/', updated: date, entries: [{ title: { value: 'One' }, id: 'https://x.example/1', updated: date, links, categories: [{ term: 'News' }] }] }),
};
const seen = {};
for (const [name, xml] of Object.entries(feeds)) {
  const [{ media, categories }] = parseRowan(xml).items;
  seen[name] = { type: media.map(({ mimeType }) => mimeType).join(), categories: categories.map(({ term, label }) => term ?? label).join() };
}

finding({ input: 'an MP3 of type audio/mpeg and the category News', expected: '{"type":"audio/mpeg","categories":"News"} each time', seen, recorded: {"RSS of feed":{"type":"audio/mpeg","categories":"News"},"Atom of feed":{"type":"image/mp3","categories":""},"Atom of feedsmith":{"type":"audio/mpeg","categories":"News"}} });
JS
