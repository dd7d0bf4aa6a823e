"""
Speaks a text with libespeak-ng and says when each word was spoken: the command espeak-ng does not tell.

    python3 speak.py speech.wav words.json < text.txt

`words.json`: [{ "text": "Coral", "startMs": 0, "endMs": 412 }, ...]. A word ends where the next begins, or its sentence ends.
"""

import ctypes
import json
import sys
import wave

SYNCHRONOUS, UTF8 = 2, 1
WORD, SENTENCE, END = 1, 2, 5


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", ctypes.c_char * 8),
    ]


Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))

text = " ".join(sys.stdin.read().split())
espeak = ctypes.CDLL("libespeak-ng.so.1")
rate = espeak.espeak_Initialize(SYNCHRONOUS, 0, None, 0)
espeak.espeak_SetVoiceByName(b"en-us")

starts = []
ends = []
with wave.open(sys.argv[1], "wb") as speech:
    speech.setnchannels(1)
    speech.setsampwidth(2)
    speech.setframerate(rate)

    @Callback
    def hear(samples, count, events):
        if samples and count > 0:
            speech.writeframes(ctypes.string_at(samples, count * 2))
        i = 0
        while events[i].type != 0:
            event = events[i]
            if event.type == WORD:
                starts.append((event.text_position - 1, event.audio_position))
            elif event.type == END:
                ends.append(event.audio_position)
            i += 1
        return 0

    espeak.espeak_SetSynthCallback(hear)
    data = text.encode("utf-8")
    espeak.espeak_Synth(data, len(data) + 1, 0, 0, 0, UTF8, None, None)
    espeak.espeak_Synchronize()

# The library counts `1,453` and `day-to-day` as several words, which are written as one.
words = []
position = 0
for written in text.split(" "):
    begun = [at for place, at in starts if position <= place < position + len(written)]
    if begun:
        words.append({"text": written, "startMs": min(begun)})
    elif words:
        words[-1]["text"] += " " + written
    position += len(written) + 1
for i, word in enumerate(words):
    following = words[i + 1]["startMs"] if i + 1 < len(words) else (ends or [word["startMs"] + 500])[-1]
    within = [end for end in ends if word["startMs"] < end <= following]
    word["endMs"] = min(within + [following])

with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(words, file)
