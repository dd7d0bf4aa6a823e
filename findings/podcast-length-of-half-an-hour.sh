#!/usr/bin/env bash
# Behaviour  An episode whose length is written as PT1H2M3S lasts half an hour, and one of "90 min" lasts 90 seconds.
# Package    podcast-partytime 5.0.0 (parseFeed, duration); leaves such lengths out: feedsmith 3.0.1, podparse 1.6.0
# Source     dist/parser/shared.js takes 30 * 60 seconds for a text that is neither a number nor a clock, and the leading digits of others. An episode
#            without the element has 0, so an invented length looks like a real one. Apple's page on itunes:duration accepts several forms.
# Met by     Lists of episodes, and what is billed or cut by their length.
# Do         Read the text of the element, or measure the sound.
# Date       2026-11-28
source "$(dirname "$0")/lib/setup.sh"
install podcast-partytime@5.0.0 feedsmith@3.0.1 podparse@1.6.0
check <<'JS'
import { parseFeed as feedsmith } from 'feedsmith';
import partytime from 'podcast-partytime';
import podparse from 'podparse';
import { finding } from './finding.mjs';

const lengths = ['1:02:03', '3723', 'PT1H2M3S', '90 min'];
const item = (length, i) => `<item><title>Dive ${i}</title><guid isPermaLink="false">dive-${i}</guid><pubDate>0${9 - i} May 2026 08:00:00 GMT</pubDate>
<enclosure url="https://example.org/${i}.mp3" length="1000" type="audio/mpeg"/><itunes:duration>${length}</itunes:duration></item>`;
const feed = `<?xml version="1.0" encoding="utf-8"?><rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Reef</title><link>https://example.org</link>
<description>Dives</description><language>en</language><itunes:author>Reef</itunes:author><itunes:image href="https://example.org/reef.jpg"/><itunes:category text="Science"/><itunes:explicit>false</itunes:explicit>
${lengths.map(item).join('\n')}</channel></rss>`;
const list = (values) => values.map((value) => value ?? null);

finding({
  input: lengths,
  expected: { 'podcast-partytime': [3723, 3723, null, null], feedsmith: [3723, 3723, null, null], podparse: [3723, 3723, null, null] },
  seen: {
    'podcast-partytime': list((await partytime.parseFeed(feed)).items.map(({ duration }) => duration)),
    feedsmith: list(feedsmith(feed).feed.items.map(({ itunes }) => itunes?.duration)),
    podparse: list(podparse(feed).episodes.map(({ duration }) => duration)),
  },
  recorded: {"podcast-partytime":[3723,3723,1800,90],"feedsmith":[3723,3723,null,null],"podparse":[3723,3723,null,null]},
});
JS
